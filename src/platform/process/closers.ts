import { describeError, type Log } from '../log/index.ts';

/** Closes what was opened, in the opposite order. */
export type Closers = {
  add(what: string, close: () => unknown): void;
  /** Closes everything, once. A failure is logged, and the rest is still closed. */
  closeAll(): Promise<void>;
};

export function createClosers(log: Log): Closers {
  const opened: { what: string; close: () => unknown }[] = [];
  return {
    add: (what, close) => void opened.push({ what, close }),
    async closeAll() {
      for (const { what, close } of opened.splice(0).reverse()) {
        try {
          await close();
        } catch (error) {
          log.warn({ what, error: describeError(error) }, 'could not be closed cleanly');
        }
      }
    },
  };
}

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Keeps requests from waiting longer than 10 ms, or 20 ms while two such loops run. */
const maxBusyMs = 10;

export type Yielder = {
  /** Whether the loop should yield now. Cheap enough to call in each round. */
  shouldYield(): boolean;
  /** Lets other work run. @throws the reason of the signal once that is aborted. */
  yieldNow(): Promise<void>;
};

/**
 * For loops that may run millions of times. Awaiting a promise that is already fulfilled lets no request in, so a long loop
 * has to yield. It can be stopped where it yields.
 */
export function createYielder(signal?: AbortSignal): Yielder {
  let sinceMs = performance.now();
  return {
    shouldYield: () => performance.now() - sinceMs >= maxBusyMs,
    async yieldNow() {
      await nextTurn();
      signal?.throwIfAborted();
      sinceMs = performance.now();
    },
  };
}

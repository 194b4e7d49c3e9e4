import { within } from './within.ts';

/** One after the other: whoever took a turn gives it back, and then the next one has it. */
export type Turns = { take(): Promise<void>; giveBack(): void };

/** One that is not given back, as by a connection that hangs, does not keep the others from theirs for ever. */
export function createTurns(patienceMs: number): Turns {
  let last: Promise<void> | undefined;
  let giveBack = () => {};
  return {
    async take() {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      if (before) await within(patienceMs, before);
      giveBack = () => {
        if (last === promise) last = undefined;
        resolve();
      };
    },
    giveBack: () => giveBack(),
  };
}

import { setImmediate as nextTurn } from 'node:timers/promises';

/** So requests wait for a hundredth of a second at most, and for a fiftieth if two such loops run. */
const maxBusyMs = 10;

export type Turns = {
  /** Whether the loop should rest now. Cheap enough to call in each round. */
  areOver(): boolean;
  /** Lets other work run. @throws the reason of the signal once that is aborted. */
  rest(): Promise<void>;
};

/**
 * For loops that may run millions of times. Awaiting a promise that is already fulfilled lets no request in, so a long loop
 * has to rest. It can be stopped where it rests.
 */
export function takeTurns(signal?: AbortSignal): Turns {
  let sinceMs = performance.now();
  return {
    areOver: () => performance.now() - sinceMs >= maxBusyMs,
    async rest() {
      await nextTurn();
      signal?.throwIfAborted();
      sinceMs = performance.now();
    },
  };
}

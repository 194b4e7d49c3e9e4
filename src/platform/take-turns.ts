import { setImmediate as nextTurn } from 'node:timers/promises';

/** With two such loops at once, everybody else still waits for a twentieth of a second at most. */
const maxBusyMs = 10;

export type Turns = {
  /** Whether the process has been kept busy long enough; asked in each round of a loop, it costs next to nothing. */
  areOver(): boolean;
  /** Lets everybody else have a turn. @throws the reason of the signal, once that is aborted. */
  rest(): Promise<void>;
};

/**
 * For loops that may run millions of times without waiting: awaiting a promise that is already fulfilled lets no request
 * in. A loop can also be stopped where it rests.
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

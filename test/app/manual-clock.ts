import type { Clock } from '../../src/platform/clock/index.ts';

export type ManualClock = Clock & { moveOn(ms: number): void };

/** A clock that stands still until a test moves it. */
export function manualClock(start = '2026-11-21T09:30:00.000Z'): ManualClock {
  let ms = Date.parse(start);
  return {
    now: () => new Date(ms),
    moveOn(by) {
      ms += by;
    },
  };
}

/** Durations in milliseconds. They live below `platform/clock`, because the database and the settings use them too. */
export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The time since a moment of `performance.now()`, in seconds with one decimal. */
export function secondsSince(startedMs: number): number {
  return Math.round((performance.now() - startedMs) / 100) / 10;
}

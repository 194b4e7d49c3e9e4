import { minuteMs } from '../durations.ts';

export const windowMs = minuteMs;

/** Enough for every account and network of an area at once; this many take 22 MB. */
const maxWindows = 100_000;

/** The calls of one account or network in its current minute, which starts with its first call. */
export type CallWindow = { calls: number; readonly endsAtMs: number };

type CallWindows = { count(key: string, nowMs: number): CallWindow; size(): number };

/**
 * Counts calls in windows of a minute, with a bound on memory that a flood cannot exceed. The map keeps its windows in the
 * order in which they end, so ended ones are at its front. When too many are open, the next to end is dropped early.
 */
export function createCallWindows(max: number = maxWindows): CallWindows {
  const windows = new Map<string, CallWindow>();
  const begin = (key: string, nowMs: number) => {
    windows.delete(key);
    for (const [oldKey, old] of windows) {
      if (nowMs < old.endsAtMs && windows.size < max) break;
      windows.delete(oldKey);
    }
    const window = { calls: 1, endsAtMs: nowMs + windowMs };
    windows.set(key, window);
    return window;
  };
  return {
    count(key, nowMs) {
      const window = windows.get(key);
      if (window === undefined || nowMs >= window.endsAtMs) return begin(key, nowMs);
      window.calls += 1;
      return window;
    },
    size: () => windows.size,
  };
}

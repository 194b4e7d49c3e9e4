const windowMs = 60_000;
export const windowSeconds = windowMs / 1000;

/** Enough for every account or network of an area at once; they take 22 MB. */
const mostWindows = 100_000;

/** The calls of one account or network in its current minute, which begins with its first call. */
export type CallWindow = { calls: number; readonly endsAtMs: number };

export type CallWindows = { count(key: string, nowMs: number): CallWindow; size(): number };

/**
 * Counts calls in windows of a minute: two numbers for each key, and nothing that a flood could make grow without end.
 * The map has its windows in the order in which they end, so the ended ones are at its front. Where too many are open,
 * the one that ends next goes early.
 */
export function callWindows(most: number = mostWindows): CallWindows {
  const windows = new Map<string, CallWindow>();
  const begin = (key: string, nowMs: number) => {
    windows.delete(key);
    for (const [oldKey, old] of windows) {
      if (nowMs < old.endsAtMs && windows.size < most) break;
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

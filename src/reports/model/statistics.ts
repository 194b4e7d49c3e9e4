/** The arithmetic of reports: pure functions, without a word about referrals. */

/** How many people had the event at a time, and how many were followed until then without it. */
export type TimePoint = { at: number; events: number; censored: number };

/**
 * The time by which a share of all people have had the event (Kaplan–Meier); null if that is not known yet. People without the event
 * count for as long as they were followed. If they were left out, slow services would look better than they are.
 */
export function survivalQuantile(times: readonly TimePoint[], share: number): number | null {
  let atRisk = times.reduce((sum, { events, censored }) => sum + events + censored, 0);
  let without = 1;
  for (const { at, events, censored } of [...times].sort((one, other) => one.at - other.at)) {
    if (events > 0) without *= 1 - events / atRisk;
    // Rounding can make the product of fractions a little too large.
    if (without <= 1 - share + 1e-12) return at;
    atRisk -= events + censored;
  }
  return null;
}

export type Interval = { low: number; high: number };

/** The 97.5 % quantile of the normal distribution, for intervals of 95 %. */
export const z = 1.959964;

/** Wilson's 95 % interval for a share. */
export function wilson(count: number, n: number): Interval {
  const share = count / n;
  const centre = (share + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return {
    low: count === 0 ? 0 : Math.max(0, centre - half),
    high: count === n ? 1 : Math.min(1, centre + half),
  };
}

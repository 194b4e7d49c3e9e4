// Which counts others may see, so that no number says something about single people.

import { minShownCount } from '../../platform/small-counts.ts';

/** A count as other people may see it: null for 1 to 7, otherwise rounded to the nearest 5. */
export function publishedCount(count: number): number | null {
  if (count > 0 && count < minShownCount) return null;
  return Math.round(count / 5) * 5;
}

/**
 * Which cells must be hidden in a list that adds up to a known total. Those of 1 to 7 are hidden, and the smallest others with them,
 * until each hidden cell may be anything from 1 to 8, even for somebody who knows the total and all other cells exactly.
 * @returns undefined if even hiding all cells is not enough: then the whole list is withheld.
 */
export function hiddenCells(cells: ReadonlyMap<string, number>): ReadonlySet<string> | undefined {
  const filled = [...cells].filter(([, count]) => count > 0).sort(([, one], [, other]) => one - other);
  const small = filled.filter(([, count]) => count < minShownCount);
  if (small.length === 0) return new Set();
  const hidden = new Set<string>();
  let sum = 0;
  const isSafe = () => hidden.size >= 2 && sum - (hidden.size - 1) >= minShownCount;
  for (const [name, count] of filled) {
    if (count >= minShownCount && isSafe()) break;
    hidden.add(name);
    sum += count;
  }
  return isSafe() ? hidden : undefined;
}

/** Counts of referrals to sensitive services are rounded to such steps, so that one referral more cannot be seen. */
export const sensitiveStep = 8;

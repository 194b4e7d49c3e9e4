import type { Rate } from './load.ts';

/** The percentile: this many per cent of all values are not above it. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)]!;
}

export const median = (values: readonly number[]) => percentile(values, 50);

export const inWords = ({ perSecond, p99Ms }: Rate) =>
  `${perSecond.toFixed(0)}/s (p99 ${p99Ms.toFixed(1)} ms)`;
export const asPercent = (ratio: number) => `${(ratio * 100).toFixed(0)} %`;

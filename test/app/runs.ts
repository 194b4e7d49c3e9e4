const slowFactor = 10;

/** Whether this is `npm run test:slow`. */
export const isSlowRun = Boolean(process.env.TEST_SLOW);

/** How many cases a generated test tries: this many in the everyday suite, ten times as many in `npm run test:slow`. */
export function runs(everyday: number): number {
  return isSlowRun ? everyday * slowFactor : everyday;
}

/** The cases of a table that the everyday suite tries, and those that `npm run test:slow` tries as well. */
export function withSlowCases<T>(everyday: readonly T[], slow: readonly T[]): T[] {
  return isSlowRun ? [...everyday, ...slow] : [...everyday];
}

/** Whole months. Somebody born on 29 February is a year older on 1 March. */
export function ageInMonths(birthDate: string, today: string): number {
  const [[year, month, day], [thisYear, thisMonth, thisDay]] = [birthDate, today].map((date) =>
    date.split('-').map(Number),
  ) as [[number, number, number], [number, number, number]];
  return (thisYear - year) * 12 + thisMonth - month - (thisDay < day ? 1 : 0);
}

/** From 16 on somebody is presumed able to agree for themselves (Family Law Reform Act 1969, section 8). */
export function isUnder16(birthDate: string, today: string): boolean {
  return ageInMonths(birthDate, today) < 16 * 12;
}

/** The age on a day (both as `2026-11-24`): “79 years old”, or in months below two years. */
export function ageInWords(birthDate: string, today: string): string {
  const months = ageInMonths(birthDate, today);
  const [count, unit] = months < 24 ? [months, 'month'] : [Math.floor(months / 12), 'year'];
  return `${count} ${unit}${count === 1 ? '' : 's'} old`;
}

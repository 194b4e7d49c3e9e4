/** Whole months. Somebody born on 29 February is a year older on 1 March. */
export function ageInMonths(birthDate: string, today: string): number {
  const [[year, month, day], [thisYear, thisMonth, thisDay]] = [birthDate, today].map((date) =>
    date.split('-').map(Number),
  ) as [[number, number, number], [number, number, number]];
  return (thisYear - year) * 12 + thisMonth - month - (thisDay < day ? 1 : 0);
}

/** The age on a day (both as `2026-11-24`): “79 years old”, or in months below two years. */
export function ageInWords(birthDate: string, today: string): string {
  const months = ageInMonths(birthDate, today);
  const [count, unit] = months < 24 ? [months, 'month'] : [Math.floor(months / 12), 'year'];
  return `${count} ${unit}${count === 1 ? '' : 's'} old`;
}

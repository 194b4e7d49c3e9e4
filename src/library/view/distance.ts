import { metresPerMile } from '../postcodes/earth.ts';

/** “0.4 miles”, “12 miles”. */
export function milesInWords(metres: number): string {
  const miles = metres / metresPerMile;
  if (miles < 0.1) return 'less than 0.1 miles';
  const text =
    miles < 9.95 ? miles.toFixed(1).replace(/\.0$/, '') : Math.round(miles).toLocaleString('en-GB');
  return text === '1' ? '1 mile' : `${text} miles`;
}

import type { Point } from '../postcodes/store.ts';

const earthRadiusMetres = 6_371_009;
export const metresPerMile = 1609.344;

/** In a straight line over the Earth's surface. */
export function metresBetween(one: Point, other: Point): number {
  const [from, to] = [radians(one.latitude), radians(other.latitude)];
  const half = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2;
  const chord =
    half(other.latitude - one.latitude) +
    Math.cos(from) * Math.cos(to) * half(other.longitude - one.longitude);
  return 2 * earthRadiusMetres * Math.asin(Math.min(1, Math.sqrt(chord)));
}

export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/** “0.4 miles”, “12 miles”. */
export function milesInWords(metres: number): string {
  const miles = metres / metresPerMile;
  if (miles < 0.1) return 'less than 0.1 miles';
  const text =
    miles < 9.95 ? miles.toFixed(1).replace(/\.0$/, '') : Math.round(miles).toLocaleString('en-GB');
  return text === '1' ? '1 mile' : `${text} miles`;
}

import type { Point } from './postcodes-store.ts';

/** A point on the Earth in metres from its centre, as in PostgreSQL's earthdistance. */
export type EarthPoint = { x: number; y: number; z: number };

/** The radius of the Earth in metres, as in earthdistance. */
const radius = 6_378_168;
export const metresPerMile = 1609.344;

export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

export function toEarthPoint({ latitude, longitude }: Point): EarthPoint {
  const [latitudeRadians, longitudeRadians] = [radians(latitude), radians(longitude)];
  return {
    x: radius * Math.cos(latitudeRadians) * Math.cos(longitudeRadians),
    y: radius * Math.cos(latitudeRadians) * Math.sin(longitudeRadians),
    z: radius * Math.sin(latitudeRadians),
  };
}

/** The straight distance through the Earth between two points, from their distance on its surface. */
export function chordLength(metres: number): number {
  return 2 * radius * Math.sin(Math.min(metres / (2 * radius), Math.PI / 2));
}

/** The reverse of {@link chordLength}. */
export function surfaceMetres(chord: number): number {
  return 2 * radius * Math.asin(Math.min(1, chord / (2 * radius)));
}

/** The distance of two points over the Earth's surface. */
export function metresBetween(one: Point, other: Point): number {
  const [from, to] = [toEarthPoint(one), toEarthPoint(other)];
  return surfaceMetres(Math.hypot(from.x - to.x, from.y - to.y, from.z - to.z));
}

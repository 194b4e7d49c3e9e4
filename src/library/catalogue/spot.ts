import type { Point } from '../postcodes/store.ts';

/** A point of the Earth in metres from its middle, as PostgreSQL's earthdistance has it. */
export type Spot = { x: number; y: number; z: number };

/** Its radius, as there. */
const radius = 6_378_168;

export function spotOf({ latitude, longitude }: Point): Spot {
  const [up, along] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  return {
    x: radius * Math.cos(up) * Math.cos(along),
    y: radius * Math.cos(up) * Math.sin(along),
    z: radius * Math.sin(up),
  };
}

/** How far it is through the Earth when it is so far on its surface. */
export function chordOf(metres: number): number {
  return 2 * radius * Math.sin(Math.min(metres / (2 * radius), Math.PI / 2));
}

export function metresOf(chord: number): number {
  return 2 * radius * Math.asin(Math.min(1, chord / (2 * radius)));
}

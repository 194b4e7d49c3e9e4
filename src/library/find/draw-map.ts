import type { Point } from '../postcodes/store.ts';
import { metresAMile, radians } from '../view/distance.ts';
import { type Box, isFree, type Spot } from './boxes.ts';
import { type Pin, placePins } from './place-pins.ts';

export type Label = Point & { text: string; kind: 'town' | 'district' };
type PlacedLabel = Spot & Pick<Label, 'text' | 'kind'>;

/** All that the template draws, in units of its own; north is up. */
export type DrawnMap = {
  width: number;
  height: number;
  pins: readonly Pin[];
  /** What was searched near. */
  searched: Spot | undefined;
  labels: readonly PlacedLabel[];
  scale: { length: number; text: string };
};

const size = { width: 480, height: 400 };
const margin = 60;
/** However near each other all places are, the map shows their neighbourhood. */
const leastMetres = 1500;
const metresADegree = 111_320;

export function drawMap(
  places: readonly { number: number; point: Point }[],
  searched: Point | undefined,
  labels: readonly Label[],
): DrawnMap {
  const shown = [...places.map(({ point }) => point), ...(searched ? [searched] : [])];
  const { spotOf, unitsAMetre } = projection(shown);
  const pins = placePins(
    places.map(({ number, point }) => ({ number, spot: spotOf(point) })),
    size,
  );
  const middle = searched && spotOf(searched);
  return {
    ...size,
    pins,
    searched: middle,
    labels: placeLabels(labels, spotOf, [...pins.map(({ box }) => box), ...(middle ? [around(middle)] : [])]),
    scale: scaleBar(unitsAMetre),
  };
}

/** Flat, and true in the middle: good enough for the width of a county. */
function projection(points: readonly Point[]) {
  const latitudes = rangeOf(points.map(({ latitude }) => latitude));
  const longitudes = rangeOf(points.map(({ longitude }) => longitude));
  const eastwards = metresADegree * Math.cos(radians(latitudes.middle));
  const unitsAMetre = Math.min(
    (size.width - 2 * margin) / Math.max(longitudes.length * eastwards, leastMetres),
    (size.height - 2 * margin) / Math.max(latitudes.length * metresADegree, leastMetres),
  );
  const spotOf = ({ latitude, longitude }: Point): Spot => ({
    x: size.width / 2 + (longitude - longitudes.middle) * eastwards * unitsAMetre,
    y: size.height / 2 - (latitude - latitudes.middle) * metresADegree * unitsAMetre,
  });
  return { spotOf, unitsAMetre };
}

function rangeOf(values: readonly number[]): { middle: number; length: number } {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return { middle: (least + most) / 2, length: most - least };
}

const letterWidth = 9;
const lineHeight = 18;
/** Where the scale and the arrow are. */
const corners: readonly Box[] = [
  { left: 0, top: size.height - 36, right: 210, bottom: size.height },
  { left: size.width - 44, top: 0, right: size.width, bottom: 60 },
];

/** Each label near its point where it hides nothing; towns come before districts, and what finds no room is left out. */
function placeLabels(
  labels: readonly Label[],
  spotOf: (point: Point) => Spot,
  taken: readonly Box[],
): PlacedLabel[] {
  const boxes = [...taken, ...corners];
  return labels.flatMap(({ text, kind, ...point }) => {
    const { x, y } = spotOf(point);
    const half = (text.length * letterWidth) / 2;
    const tries = [0, 14, -44, 32, -62].flatMap((down) =>
      [0, half + 22, -half - 22].map((right) => ({ x: x + right, y: y + down })),
    );
    for (const spot of tries) {
      const box = { left: spot.x - half, right: spot.x + half, top: spot.y, bottom: spot.y + lineHeight };
      if (!isFree(box, boxes, size)) continue;
      boxes.push(box);
      return [{ text, kind, x: spot.x, y: spot.y + lineHeight - 4 }];
    }
    return [];
  });
}

function around({ x, y }: Spot): Box {
  return { left: x - 10, right: x + 10, top: y - 10, bottom: y + 10 };
}

const lengthsMiles = [200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.25];
const longestBar = 160;

function scaleBar(unitsAMetre: number): DrawnMap['scale'] {
  const miles = lengthsMiles.find((each) => each * metresAMile * unitsAMetre <= longestBar) ?? 0.25;
  const words: Readonly<Record<number, string>> = {
    1: '1 mile',
    0.5: 'half a mile',
    0.25: 'a quarter of a mile',
  };
  return { length: Math.round(miles * metresAMile * unitsAMetre), text: words[miles] ?? `${miles} miles` };
}

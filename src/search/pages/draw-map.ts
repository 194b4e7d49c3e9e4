import { metresPerMile, type Point, radians } from '../../library/index.ts';

export type Label = Point & { text: string; kind: 'town' | 'district' };
type PlacedLabel = Spot & Pick<Label, 'text' | 'kind'>;

/** A postcode district, by the postcodes at its edge. */
export type Outline = { name: string; centre: Point; points: readonly Point[] };

/** What the template draws, in units of its own. North is up. */
export type DrawnMap = {
  width: number;
  height: number;
  pins: readonly Pin[];
  /** What was searched near. */
  searched: Spot | undefined;
  labels: readonly PlacedLabel[];
  /** The corners of each district, as SVG's `points` has them. */
  outlines: readonly string[];
  scale: { length: number; text: string };
};

const size = { width: 480, height: 400 };
const margin = 60;
/** The map shows at least this much, even if all places are close together. */
const minMetres = 1500;
const metresPerDegree = 111_320;

export function drawMap(
  places: readonly { number: number; point: Point }[],
  searched: Point | undefined,
  labels: readonly Label[],
  outlines: readonly Outline[] = [],
): DrawnMap {
  const shown = [...places.map(({ point }) => point), ...(searched ? [searched] : [])];
  const { spotOf, unitsPerMetre } = projection(shown);
  const pins = placePins(
    places.map(({ number, point }) => ({ number, spot: spotOf(point) })),
    size,
  );
  const middle = searched && spotOf(searched);
  return {
    ...size,
    pins,
    searched: middle,
    outlines: outlines.map(({ points }) => points.map((point) => svgPoint(spotOf(point))).join(' ')),
    labels: placeLabels(labels, spotOf, [...pins.map(({ box }) => box), ...(middle ? [around(middle)] : [])]),
    scale: scaleBar(unitsPerMetre),
  };
}

/** A point as SVG's `points` has it. */
function svgPoint({ x, y }: Spot): string {
  return `${x.toFixed(1)},${y.toFixed(1)}`;
}

/** Flat, and exact in the middle, which is good enough for a county. */
function projection(points: readonly Point[]) {
  const latitudes = rangeOf(points.map(({ latitude }) => latitude));
  const longitudes = rangeOf(points.map(({ longitude }) => longitude));
  const eastwards = metresPerDegree * Math.cos(radians(latitudes.middle));
  const unitsPerMetre = Math.min(
    (size.width - 2 * margin) / Math.max(longitudes.length * eastwards, minMetres),
    (size.height - 2 * margin) / Math.max(latitudes.length * metresPerDegree, minMetres),
  );
  const spotOf = ({ latitude, longitude }: Point): Spot => ({
    x: size.width / 2 + (longitude - longitudes.middle) * eastwards * unitsPerMetre,
    y: size.height / 2 - (latitude - latitudes.middle) * metresPerDegree * unitsPerMetre,
  });
  return { spotOf, unitsPerMetre };
}

function rangeOf(values: readonly number[]): { middle: number; length: number } {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return { middle: (min + max) / 2, length: max - min };
}

const letterWidth = 9;
const lineHeight = 18;
/** Where the scale and the arrow are. */
const corners: readonly Box[] = [
  { left: 0, top: size.height - 36, right: 210, bottom: size.height },
  { left: size.width - 44, top: 0, right: size.width, bottom: 60 },
];

/** Where a label may be, from best to worst: below its point, a little lower, above it, and further below and above. */
const labelOffsets = [0, 14, -44, 32, -62];

/** Puts each label near its point, where it hides nothing, towns first. A label without a free place is left out. */
function placeLabels(
  labels: readonly Label[],
  spotOf: (point: Point) => Spot,
  taken: readonly Box[],
): PlacedLabel[] {
  const boxes = [...taken, ...corners];
  return labels.flatMap(({ text, kind, ...point }) => {
    const { x, y } = spotOf(point);
    const half = (text.length * letterWidth) / 2;
    const tries = labelOffsets.flatMap((down) =>
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
const maxBarLength = 160;

function scaleBar(unitsPerMetre: number): DrawnMap['scale'] {
  const miles = lengthsMiles.find((each) => each * metresPerMile * unitsPerMetre <= maxBarLength) ?? 0.25;
  const words: Readonly<Record<number, string>> = {
    1: '1 mile',
    0.5: 'half a mile',
    0.25: 'a quarter of a mile',
  };
  return {
    length: Math.round(miles * metresPerMile * unitsPerMetre),
    text: words[miles] ?? `${miles} miles`,
  };
}

/** The numbers of results, in rows, in a box with a line to their place, or to the middle of several. */
type Pin = Spot & {
  box: Box;
  /** Where the line leaves the box. */
  stem: Spot;
  cells: readonly (Spot & { text: string })[];
};

type Group = { spots: readonly Spot[]; numbers: ReadonlySet<number> };

const cell = { width: 28, height: 22 };
const padding = 3;
const pinLineLength = 9;
const maxInARow = 5;
/** Places that are closer than this have one pin. */
const minApart = 6;

/**
 * A pin for each place. Pins that would hide each other are moved apart, each with a line to its place. Where there is no room for
 * that, they become one pin with the numbers of both.
 */
function placePins(places: readonly { number: number; spot: Spot }[], size: Size): Pin[] {
  let groups = mergeClose(places.map(({ number, spot }) => ({ spots: [spot], numbers: new Set([number]) })));
  for (;;) {
    const { pins, unplaced } = placeWithoutOverlap(groups, size);
    if (unplaced.length === 0) return pins;
    // Fewer with every turn, and one alone always has room.
    groups = mergeWithNearest(groups, unplaced);
  }
}

/** The boxes, one after the other; those that are `unplaced` found no free place. */
function placeWithoutOverlap(groups: readonly Group[], size: Size): { pins: Pin[]; unplaced: Group[] } {
  const pins: Pin[] = [];
  const unplaced: Group[] = [];
  for (const group of groups) {
    const taken = pins.map(({ box }) => box);
    const pin = shifts
      .map((shift) => pinOf(group, size, shift))
      .find(({ box }) => !taken.some((each) => boxesOverlap(box, each)));
    if (pin) pins.push(pin);
    else unplaced.push(group);
  }
  return { pins, unplaced };
}

/** Where a box may be instead of above its place: around it, in growing circles. */
const shifts: readonly Spot[] = [
  { x: 0, y: 0 },
  ...[32, 56, 84].flatMap((radius) =>
    [-90, -30, -150, 30, 150, 90, 0, 180].map((angle) => ({
      x: radius * Math.cos(radians(angle)),
      y: radius * Math.sin(radians(angle)) + (angle > 0 && angle < 180 ? 2 * pinLineLength + cell.height : 0),
    })),
  ),
];

function mergeClose(groups: readonly Group[]): Group[] {
  const merged: Group[] = [];
  for (const group of groups) {
    const close = merged.findIndex((each) => distanceBetween(each, group) < minApart);
    if (close === -1) merged.push(group);
    else merged[close] = mergeGroups(merged[close]!, group);
  }
  return merged;
}

/** Puts each of these groups into the one that is nearest to it. */
function mergeWithNearest(groups: readonly Group[], unplaced: readonly Group[]): Group[] {
  const stay = groups.filter((group) => !unplaced.includes(group));
  // If none had room, the first stays.
  const merged = stay.length > 0 ? stay : [unplaced[0]!];
  for (const group of stay.length > 0 ? unplaced : unplaced.slice(1)) {
    const distances = merged.map((each) => distanceBetween(each, group));
    const nearest = distances.indexOf(Math.min(...distances));
    merged[nearest] = mergeGroups(merged[nearest]!, group);
  }
  return merged;
}

function mergeGroups(one: Group, other: Group): Group {
  return {
    spots: [...one.spots, ...other.spots],
    numbers: new Set([...one.numbers, ...other.numbers]),
  };
}

function distanceBetween(one: Group, other: Group): number {
  const [from, to] = [middleOf(one), middleOf(other)];
  return Math.hypot(from.x - to.x, from.y - to.y);
}

function middleOf({ spots }: Group): Spot {
  return { x: mean(spots.map((spot) => spot.x)), y: mean(spots.map((spot) => spot.y)) };
}

function pinOf(group: Group, size: Size, shift: Spot): Pin {
  const { x, y } = middleOf(group);
  const texts = [...group.numbers].toSorted((one, other) => one - other).map(String);
  const rows = Array.from({ length: Math.ceil(texts.length / maxInARow) }, (_, row) =>
    texts.slice(row * maxInARow, (row + 1) * maxInARow),
  );
  const width = rows[0]!.length * cell.width + 2 * padding;
  const height = rows.length * cell.height + 2 * padding;
  const left = clamp(x + shift.x - width / 2, 0, size.width - width);
  const top = clamp(y + shift.y - pinLineLength - height, 0, size.height - height);
  const box = { left, top, right: left + width, bottom: top + height };
  const cells = rows.flatMap((row, down) =>
    row.map((text, along) => ({
      text,
      x: left + padding + (along + 0.5) * cell.width,
      y: top + padding + (down + 0.5) * cell.height + 6,
    })),
  );
  return { x, y, box, stem: { x: left + width / 2, y: top + height / 2 }, cells };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

type Spot = { x: number; y: number };
type Size = { width: number; height: number };
/** A part of the drawing. `top` is less than `bottom`. */
type Box = { left: number; right: number; top: number; bottom: number };

export function boxesOverlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function isFree(box: Box, taken: readonly Box[], { width, height }: Size): boolean {
  const isInside = box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height;
  return isInside && !taken.some((each) => boxesOverlap(box, each));
}

import { type Box, overlap, type Size, type Spot } from './boxes.ts';

/** Numbers of results, in rows, in a box whose point is where they are: of several, in their middle. */
export type Pin = Spot & { box: Box; cells: readonly (Spot & { text: string })[] };

type Group = { spots: readonly Spot[]; numbers: ReadonlySet<number> };

const cell = { width: 28, height: 22 };
const padding = 3;
const stem = 9;
const mostInARow = 5;

/** A pin for each place; those that would hide each other become one with the numbers of both. */
export function placePins(places: readonly { number: number; spot: Spot }[], size: Size): Pin[] {
  let groups: Group[] = places.map(({ number, spot }) => ({ spots: [spot], numbers: new Set([number]) }));
  for (let merged = mergeTwo(groups, size); merged; merged = mergeTwo(groups, size)) groups = merged;
  return groups.map((group) => pinOf(group, size));
}

function mergeTwo(groups: readonly Group[], size: Size): Group[] | undefined {
  const boxes = groups.map((group) => pinOf(group, size).box);
  for (const [one, box] of boxes.entries()) {
    const other = boxes.findIndex((each, index) => index > one && overlap(box, each));
    if (other === -1) continue;
    const spots = [...groups[one]!.spots, ...groups[other]!.spots];
    const numbers = new Set([...groups[one]!.numbers, ...groups[other]!.numbers]);
    return [...groups.filter((_, index) => index !== one && index !== other), { spots, numbers }];
  }
  return undefined;
}

function pinOf({ spots, numbers }: Group, size: Size): Pin {
  const x = mean(spots.map((spot) => spot.x));
  const y = mean(spots.map((spot) => spot.y));
  const texts = [...numbers].toSorted((one, other) => one - other).map(String);
  const rows = Array.from({ length: Math.ceil(texts.length / mostInARow) }, (_, row) =>
    texts.slice(row * mostInARow, (row + 1) * mostInARow),
  );
  const width = rows[0]!.length * cell.width + 2 * padding;
  const height = rows.length * cell.height + 2 * padding;
  const left = between(x - width / 2, 0, size.width - width);
  const top = between(y - stem - height, 0, size.height - height);
  const cells = rows.flatMap((row, down) =>
    row.map((text, along) => ({
      text,
      x: left + padding + (along + 0.5) * cell.width,
      y: top + padding + (down + 0.5) * cell.height + 6,
    })),
  );
  return { x, y, box: { left, top, right: left + width, bottom: top + height }, cells };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

function between(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

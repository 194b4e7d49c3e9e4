import { sortedInTurns } from './in-turns.ts';

export type Window = { limit: number; offset: number };

/** Things of which each has a key: they are in its order, the smallest first. */
export type Keyed = { items: readonly number[]; keys: readonly number[] };

/** So far down, the best are found one by one, and the others passed over. */
const fewBest = 1000;

/**
 * A window on things in the order of their keys, and of `compare` where these are the same. Nobody sorts all for the first
 * page.
 */
export async function windowOf(
  { items, keys }: Keyed,
  compare: (one: number, other: number) => number,
  { limit, offset }: Window,
): Promise<number[]> {
  const end = offset + limit;
  if (offset >= items.length) return [];
  const inOrder = (one: number, other: number) => {
    const [key, otherKey] = [keys[one]!, keys[other]!];
    // The difference of two that are infinite would be none.
    if (key === otherKey) return compare(items[one]!, items[other]!);
    return key < otherKey ? -1 : 1;
  };
  const sorted =
    end <= fewBest ? firstOf(keys, inOrder, end) : await sortedInTurns([...items.keys()], inOrder);
  return sorted.slice(offset, end).map((index) => items[index]!);
}

/** The places of the first so many. */
function firstOf(
  keys: readonly number[],
  inOrder: (one: number, other: number) => number,
  count: number,
): number[] {
  const first: number[] = [];
  let worst = Infinity;
  for (let index = 0; index < keys.length; index += 1) {
    if (first.length === count) {
      if (keys[index]! > worst || inOrder(index, first[count - 1]!) > 0) continue;
      first.pop();
    }
    first.splice(placeAmong(first, index, inOrder), 0, index);
    worst = keys[first.at(-1)!]!;
  }
  return first;
}

function placeAmong(
  sorted: readonly number[],
  index: number,
  inOrder: (one: number, other: number) => number,
): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (inOrder(sorted[middle]!, index) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

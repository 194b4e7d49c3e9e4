import { sortedInTurns } from './in-turns.ts';

export type Window = { limit: number; offset: number };

/** Things of which each has a key: they are in its order, the smallest first. */
export type Keyed = {
  items: ArrayLike<number>;
  /** By where they stand. An array, because a number that a function gives is an object of its own to V8. */
  keys: Float64Array;
  /** Where `keys` are only the least that they may be: the key of the item that stands there. */
  keyAt?(at: number): number;
};

/** So far down, the best are found one by one, and the others passed over. */
const fewBest = 1000;

/**
 * A window on things in the order of their keys, and of `compare` where these are the same. Nobody sorts all for the first
 * page.
 */
export async function windowOf(
  keyed: Keyed,
  compare: (one: number, other: number) => number,
  { limit, offset }: Window,
): Promise<number[]> {
  const { items } = keyed;
  const end = Math.min(offset + limit, items.length);
  if (offset >= end) return [];
  const sorted = end <= fewBest ? firstOf(keyed, compare, end) : await allOf(keyed, compare);
  return Array.from(sorted.slice(offset, end), (at) => items[at]!);
}

/** The places of the first so many. */
function firstOf(
  { items, keys: least, keyAt }: Keyed,
  compare: (one: number, other: number) => number,
  count: number,
): Uint32Array {
  const first = new Uint32Array(count);
  const keys = new Float64Array(count);
  let known = 0;
  for (let at = 0; at < items.length; at += 1) {
    if (known === count && least[at]! > keys[count - 1]!) continue;
    const key = keyAt ? keyAt(at) : least[at]!;
    let [low, high] = [0, known];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const isBefore =
        key === keys[middle] ? compare(items[at]!, items[first[middle]!]!) < 0 : key < keys[middle]!;
      if (isBefore) high = middle;
      else low = middle + 1;
    }
    if (low === count) continue;
    first.copyWithin(low + 1, low, known);
    keys.copyWithin(low + 1, low, known);
    first[low] = at;
    keys[low] = key;
    if (known < count) known += 1;
  }
  return first;
}

/** The places of all. */
function allOf(
  { items, keys: least, keyAt }: Keyed,
  compare: (one: number, other: number) => number,
): Promise<number[]> {
  const places = Array.from(items, (_, at) => at);
  const keys = keyAt ? Float64Array.from(places, (at) => keyAt(at)) : least;
  return sortedInTurns(places, (one, other) => {
    const [key, otherKey] = [keys[one]!, keys[other]!];
    // The difference of two that are infinite would be none.
    if (key === otherKey) return compare(items[one]!, items[other]!);
    return key < otherKey ? -1 : 1;
  });
}

import type { Part } from '../search/text-query.ts';
import { SortedTexts } from './sorted-texts.ts';
import { weighWords } from './tsvector.ts';

/** So many bits of an entry are the word's weight, the others the service's ordinal. */
const weightBits = 9;
const heaviest = 2 ** weightBits - 1;
const mostServices = 2 ** (31 - weightBits);

/**
 * In which services each word is, and how much it counts there, in the order of the ordinals. An entry is one small
 * integer, which V8 keeps in place.
 */
export class Postings {
  readonly #entries = new Map<string, number[]>();
  readonly #stems = new SortedTexts();

  /** @param search the service's tsvector as PostgreSQL writes it */
  add(ordinal: number, search: string): void {
    if (ordinal >= mostServices) throw new Error(`a catalogue has room for ${mostServices} services`);
    weighWords(search, (stem, weight) => {
      const entry = (ordinal << weightBits) | Math.ceil(Math.sqrt(Math.min(1, weight)) * heaviest);
      const known = this.#entries.get(stem);
      if (known) return known.push(entry);
      this.#stems.add(stem);
      // A literal takes no room for more, which most words never need.
      return this.#entries.set(stem, [entry]);
    });
  }

  of(stem: string): readonly number[] {
    return this.#entries.get(stem) ?? none;
  }

  /** Of each of the words that will do. */
  ofPart({ stems, beginning }: Part): (readonly number[])[] {
    const begun = beginning === undefined ? [] : this.stemsStartingWith(beginning);
    return [...new Set([...stems, ...begun])].map((stem) => this.of(stem));
  }

  stemsStartingWith(beginning: string): string[] {
    return this.#stems.startingWith(beginning);
  }

  settle(): void {
    this.#stems.settle();
  }
}

const none: readonly number[] = [];

export const ordinalOf = (entry: number) => entry >>> weightBits;

/** As it was given, nearly. */
export const weightOf = (entry: number) => ((entry & heaviest) / heaviest) ** 2;

/** The entry of a service among those of a word; undefined where it does not have the word. */
export function entryOf(entries: readonly number[], ordinal: number): number | undefined {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ordinalOf(entries[middle]!) < ordinal) low = middle + 1;
    else high = middle;
  }
  const entry = entries[low];
  return entry !== undefined && ordinalOf(entry) === ordinal ? entry : undefined;
}

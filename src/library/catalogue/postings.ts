import type { Part } from '../search/text-query.ts';
import { type Column, whole } from './column.ts';
import { grouped, noGroups } from './grouped.ts';
import { SortedTexts } from './sorted-texts.ts';
import { weighWords } from './tsvector.ts';

/** So many bits of an entry are the word's weight, the others the service's ordinal. */
const weightBits = 9;
const heaviest = 2 ** weightBits - 1;
const mostServices = 2 ** (31 - weightBits);

/**
 * In which services each word is, and how much it counts there, in the order of the ordinals. An entry is one integer.
 * Those that the catalogue is filled with lie in one array, a word's behind another's; a word that is added to
 * afterwards has an array of its own, with room for more.
 */
export class Postings {
  readonly #numbers = new Map<string, number>();
  readonly #stems = new SortedTexts();
  #filled = noGroups;
  readonly #own = new Map<number, Column<Uint32Array>>();
  /** While it is filled: the entries as they come, and of which word each is. */
  #coming: { words: Column<Uint32Array>; entries: Column<Uint32Array> } | undefined = {
    words: whole(),
    entries: whole(),
  };

  /** @param search the service's tsvector as PostgreSQL writes it */
  add(ordinal: number, search: string): void {
    if (ordinal >= mostServices) throw new Error(`a catalogue has room for ${mostServices} services`);
    weighWords(search, (stem, weight) => {
      const entry = (ordinal << weightBits) | Math.ceil(Math.sqrt(Math.min(1, weight)) * heaviest);
      const word = this.#numberOf(stem);
      if (!this.#coming) return this.#ownOf(word).push(entry);
      this.#coming.words.push(word);
      this.#coming.entries.push(entry);
    });
  }

  #numberOf(stem: string): number {
    const known = this.#numbers.get(stem);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(stem, number);
    this.#stems.add(stem);
    return number;
  }

  #ownOf(word: number): Column<Uint32Array> {
    const known = this.#own.get(word);
    if (known) return known;
    const own = whole(this.#filledWith(word));
    this.#own.set(word, own);
    return own;
  }

  #filledWith(word: number): Uint32Array<ArrayBuffer> {
    const { begins, values } = this.#filled;
    return word + 1 < begins.length ? values.subarray(begins[word]!, begins[word + 1]!) : none;
  }

  of(stem: string): Uint32Array {
    const word = this.#numbers.get(stem);
    if (word === undefined) return none;
    return this.#own.get(word)?.all() ?? this.#filledWith(word);
  }

  /** Of each of the words that will do. */
  ofPart({ stems, beginning }: Part): Uint32Array[] {
    const begun = beginning === undefined ? [] : this.stemsStartingWith(beginning);
    return [...new Set([...stems, ...begun])].map((stem) => this.of(stem));
  }

  stemsStartingWith(beginning: string): string[] {
    return this.#stems.startingWith(beginning);
  }

  /** It is filled, and only what changes will be added. */
  settle(): void {
    this.#stems.settle();
    if (!this.#coming) return;
    const { words, entries } = this.#coming;
    this.#coming = undefined;
    this.#filled = grouped(entries.all(), words.all(), this.#numbers.size);
  }
}

const none = new Uint32Array(0);

export const ordinalOf = (entry: number) => entry >>> weightBits;

/** As it was given, nearly. */
export const weightOf = (entry: number) => ((entry & heaviest) / heaviest) ** 2;

/** The entry of a service among those of a word; undefined where it does not have the word. */
export function entryOf(entries: Uint32Array, ordinal: number): number | undefined {
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

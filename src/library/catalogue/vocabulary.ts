import { whole } from './column.ts';
import { grouped, noGroups } from './grouped.ts';
import { SortedTexts } from './sorted-texts.ts';

export type AlikeWord = { alike: string; similarity: number };

/** Less alike than that, and nobody meant it. */
const leastAlike = 0.3;
const mostAlike = 10;

/** The words that services spell, each with its stem: what is typed is compared with them where it is unfinished or misspelt. */
export class Vocabulary {
  readonly #stems = new Map<string, string>();
  readonly #sorted = new SortedTexts();
  readonly #words: string[] = [];
  /** How many trigrams each word has, and by trigram the words that have it. */
  #trigrams = { sizes: new Uint8Array(0), words: noGroups };
  /** How many trigrams each word shares with the one that is compared: kept, as it is larger than all else of a search. */
  #shared = new Uint8Array(0);

  add(word: string, stem: string): void {
    if (this.#stems.has(word)) return;
    this.#stems.set(word, stem);
    this.#sorted.add(word);
    this.#words.push(word);
  }

  stemOf(word: string): string | undefined {
    return this.#stems.get(word);
  }

  /** The stems of the words that begin so. */
  stemsOfWordsStartingWith(beginning: string): Set<string> {
    return new Set(this.#sorted.startingWith(beginning).map((word) => this.#stems.get(word)!));
  }

  /** The words that are most like it, as PostgreSQL's pg_trgm compares them: by the groups of three letters they share. */
  wordsLike(word: string): AlikeWord[] {
    this.settle();
    const { sizes, words } = this.#trigrams;
    const trigrams = trigramsOf(word);
    const shared = this.#shared.fill(0);
    for (const trigram of trigrams) {
      for (let at = words.begins[trigram]!; at < words.begins[trigram + 1]!; at += 1) {
        shared[words.values[at]!]! += 1;
      }
    }
    const alike: AlikeWord[] = [];
    for (let number = 0; number < shared.length; number += 1) {
      const common = shared[number]!;
      if (common === 0) continue;
      const similarity = common / (trigrams.length + sizes[number]! - common);
      if (similarity >= leastAlike) alike.push({ alike: this.#words[number]!, similarity });
    }
    return alike
      .sort((one, other) => other.similarity - one.similarity || (one.alike < other.alike ? -1 : 1))
      .slice(0, mostAlike);
  }

  /** Puts the words that were added among the others. */
  settle(): void {
    this.#sorted.settle();
    if (this.#trigrams.sizes.length === this.#words.length) return;
    const [numbers, trigrams] = [whole(), whole()];
    const sizes = this.#words.map((word, number) => {
      const own = trigramsOf(word);
      for (const trigram of own) {
        numbers.push(number);
        trigrams.push(trigram);
      }
      return own.length;
    });
    const words = grouped(numbers.all(), trigrams.all(), letters ** 3);
    this.#trigrams = { sizes: Uint8Array.from(sizes), words };
    this.#shared = new Uint8Array(sizes.length);
  }
}

/** Those from a to z, of which alone the words consist, and the space. */
const letters = 27;
const beforeA = 'a'.charCodeAt(0) - 1;

/** Every three letters of a word, with two spaces before it and one behind, each once and as a number. */
function trigramsOf(word: string): number[] {
  const trigrams: number[] = [];
  let [first, second] = [0, 0];
  for (let at = 0; at <= word.length; at += 1) {
    const code = at < word.length ? word.charCodeAt(at) - beforeA : 0;
    const third = code > 0 && code < letters ? code : 0;
    const trigram = (first * letters + second) * letters + third;
    if (!trigrams.includes(trigram)) trigrams.push(trigram);
    [first, second] = [second, third];
  }
  return trigrams;
}

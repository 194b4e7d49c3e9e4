import type { SimilarWord } from '../../library/index.ts';
import { SortedWords } from './sorted-words.ts';

/** Less similar than that, and nobody meant it. */
const minSimilarity = 0.3;
const maxSimilar = 10;

/**
 * The words that services use, each with its stem: what is typed is compared with them where it is unfinished or misspelt.
 * Similar words are found by their trigrams, as PostgreSQL's pg_trgm does it for practices, in forty lines; a search
 * library would rank them by another measure.
 */
export class Vocabulary {
  readonly #stems = new Map<string, string>();
  readonly #sorted = new SortedWords();
  readonly #words: string[] = [];
  readonly #trigramCounts: number[] = [];
  /** The numbers of the words that have a trigram. */
  readonly #wordsWith = new Map<string, number[]>();

  add(word: string, stem: string): void {
    if (this.#stems.has(word)) return;
    this.#stems.set(word, stem);
    this.#sorted.add(word);
    const number = this.#words.push(word) - 1;
    const trigrams = trigramsOf(word);
    this.#trigramCounts.push(trigrams.size);
    for (const trigram of trigrams) {
      const words = this.#wordsWith.get(trigram);
      if (words) words.push(number);
      else this.#wordsWith.set(trigram, [number]);
    }
  }

  stemOf(word: string): string | undefined {
    return this.#stems.get(word);
  }

  stemsOfWordsStartingWith(beginning: string): Set<string> {
    return new Set(this.#sorted.startingWith(beginning).map((word) => this.#stems.get(word)!));
  }

  /** The words most similar to this one, by the share of trigrams that both have. */
  similarTo(word: string): SimilarWord[] {
    const trigrams = trigramsOf(word);
    const shared = new Uint8Array(this.#words.length);
    for (const trigram of trigrams) {
      for (const number of this.#wordsWith.get(trigram) ?? []) shared[number]! += 1;
    }
    const similar: SimilarWord[] = [];
    for (let number = 0; number < shared.length; number += 1) {
      const common = shared[number]!;
      if (common === 0) continue;
      const similarity = common / (trigrams.size + this.#trigramCounts[number]! - common);
      if (similarity >= minSimilarity) similar.push({ word: this.#words[number]!, similarity });
    }
    return similar
      .sort((one, other) => other.similarity - one.similarity || (one.word < other.word ? -1 : 1))
      .slice(0, maxSimilar);
  }
}

/** Every three letters of a word, with two spaces before it and one behind, each once. */
function trigramsOf(word: string): Set<string> {
  const padded = `  ${word} `;
  const trigrams = new Set<string>();
  for (let at = 0; at + 3 <= padded.length; at += 1) trigrams.add(padded.slice(at, at + 3));
  return trigrams;
}

import { Column } from './column.ts';
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
  readonly #sizes = new Column((length) => new Uint8Array(length));
  /** The words that have each three letters. */
  readonly #having = new Map<string, number[]>();

  add(word: string, stem: string): void {
    if (this.#stems.has(word)) return;
    this.#stems.set(word, stem);
    this.#sorted.add(word);
    const number = this.#words.push(word) - 1;
    const trigrams = trigramsOf(word);
    this.#sizes.push(trigrams.size);
    for (const trigram of trigrams) {
      const having = this.#having.get(trigram);
      if (having) having.push(number);
      else this.#having.set(trigram, [number]);
    }
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
    const trigrams = trigramsOf(word);
    const shared = new Map<number, number>();
    for (const trigram of trigrams) {
      for (const number of this.#having.get(trigram) ?? []) shared.set(number, (shared.get(number) ?? 0) + 1);
    }
    const alike: AlikeWord[] = [];
    for (const [number, common] of shared) {
      const similarity = common / (trigrams.size + this.#sizes.of[number]! - common);
      if (similarity >= leastAlike) alike.push({ alike: this.#words[number]!, similarity });
    }
    return alike
      .sort((one, other) => other.similarity - one.similarity || (one.alike < other.alike ? -1 : 1))
      .slice(0, mostAlike);
  }

  settle(): void {
    this.#sorted.settle();
  }
}

/** Every three letters of a word, with two spaces before it and one behind. */
function trigramsOf(word: string): Set<string> {
  const spaced = `  ${word} `;
  return new Set(Array.from({ length: spaced.length - 2 }, (_, index) => spaced.slice(index, index + 3)));
}

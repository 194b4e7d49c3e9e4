import SearchableMap from 'minisearch/SearchableMap';
import type { SearchIndex } from '../index/search-index.ts';

/** What a saying means: words that services use, and their stems. */
export type Meaning = { text: string; stems: readonly string[] };

/** A word that somebody may have meant, and how many slips the typed word is away from it. */
export type Correction = { word: string; stem: string; slips: number };

/** The library as a process holds it in memory: its services, and the words that find them. */
export type LibraryInMemory = { index: SearchIndex; vocabulary: Vocabulary };

/** The words of the library, each with its stem, and what people say instead of them. */
export class Vocabulary {
  readonly #stems = new SearchableMap<string>();
  readonly #stopWords = new Set<string>();
  #meanings: ReadonlyMap<string, readonly Meaning[]> = new Map();
  #saidStems: ReadonlySet<string> = new Set();

  /** @param isStopWord whether PostgreSQL leaves the word out, so that no service is found by it */
  addWord(word: string, stem: string, isStopWord = false): void {
    this.#stems.set(word, stem);
    if (isStopWord) this.#stopWords.add(word);
  }

  /** @param rows what each saying means, by its stems one after another */
  replaceSayings(rows: readonly (Meaning & { saying: string })[]): void {
    this.#meanings = Map.groupBy(rows, ({ saying }) => saying);
    this.#saidStems = new Set(rows.flatMap(({ saying }) => saying.split(' ')));
  }

  /**
   * Whether a service, a saying or the language uses this word now. A misspelling that was corrected at its source
   * stays in the list of words, but nothing uses it.
   */
  isInUse(word: string, index: Pick<SearchIndex, 'countWith'>): boolean {
    const stem = this.#stems.get(word);
    if (stem === undefined) return false;
    return this.#stopWords.has(word) || this.#saidStems.has(stem) || index.countWith(stem) > 0;
  }

  meaningsOf(stems: readonly string[]): readonly Meaning[] {
    return this.#meanings.get(stems.join(' ')) ?? [];
  }

  stemOf(word: string): string | undefined {
    return this.#stems.get(word);
  }

  stemsOfWordsStartingWith(beginning: string): Set<string> {
    return new Set([...this.#stems.atPrefix(beginning).values()].sort());
  }

  /** The words that somebody may have meant when they typed this one. */
  correctionsOf(typed: string): Correction[] {
    return [...this.#stems.fuzzyGet(typed, maxEdits)]
      .map(([word, [stem, edits]]) => ({ word, stem, slips: slipsBetween(typed, word, edits) }))
      .filter(({ slips }) => slips <= maxSlips(typed));
  }
}

/**
 * How many letters may be added, left out or replaced. GP practices have fewer and rarer words, so theirs are compared by trigrams too:
 * library/practices/spelling.ts.
 */
const maxEdits = 2;

/**
 * How many slips lie between two words. Two letters that are swapped, or one that stands elsewhere, are one slip
 * instead of two edits. A wrong first letter counts one more, because people seldom get it wrong.
 */
function slipsBetween(typed: string, word: string, edits: number): number {
  const isSwap = edits === 2 && sortLetters(typed) === sortLetters(word);
  return (isSwap ? 1 : edits) + (typed[0] === word[0] ? 0 : 1);
}

const sortLetters = (word: string) => [...word].sort().join('');

/** Letters of the shortest word that is corrected. In a shorter one, one slip makes another real word: “bank” and “tank”. */
const minCorrectableLength = 5;

/** How many slips a typed word may have: fewer if it is short. Three are two edits and a wrong first letter. */
function maxSlips({ length }: string): number {
  if (length < minCorrectableLength) return 0;
  if (length >= 8) return 3;
  return length >= 6 ? 2 : 1;
}

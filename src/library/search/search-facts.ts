import type { Db } from '../../platform/database/index.ts';
import type { Catalogue, Meaning as KnownMeaning } from '../catalogue/catalogue.ts';
import { stemsOf } from './stems.ts';

/** What is known of a word that was typed. */
export type WordFacts = {
  word: string;
  stem: string;
  /** How many services have it, some that are gone among them. */
  services: number;
};

/** What a saying means; `services` is how many have it, or about so many. */
type Meaning = KnownMeaning & { services: number };
/** `at` is the place of its first word among those that were typed, from 0. */
export type Saying = { at: number; length: number; meanings: readonly Meaning[] };
/** What a word that may be unfinished is the beginning of: `stems` are those of words whose stems do not begin so. */
export type Beginning = { word: string; services: number; stems: readonly string[] };
export type SearchFacts = {
  /** How many services there are. */
  services: number;
  words: readonly WordFacts[];
  sayings: readonly Saying[];
  beginning: Beginning | null;
};

export const longestSaying = 5;
/** Of a shorter beginning, every word's stem has as much. */
const shortestStemmed = 4;

/** All that a search must know of its words. */
export async function findSearchFacts(
  db: Db,
  catalogue: Catalogue,
  words: readonly string[],
  unfinished: string | undefined,
): Promise<SearchFacts> {
  const stems = await stemsOf(db, catalogue.vocabulary, words);
  return {
    services: catalogue.live,
    words: words.map((word, index) => ({
      word,
      stem: stems[index]!,
      services: servicesWith(catalogue, stems[index]!),
    })),
    sayings: sayingsIn(catalogue, stems),
    beginning: unfinished === undefined ? null : beginningOf(catalogue, unfinished),
  };
}

const servicesWith = ({ postings }: Catalogue, stem: string) => postings.of(stem).length;

function sayingsIn(catalogue: Catalogue, stems: readonly string[]): Saying[] {
  const sayings: Saying[] = [];
  for (let at = 0; at < stems.length; at += 1) {
    for (let length = 1; length <= longestSaying && at + length <= stems.length; length += 1) {
      const meanings = catalogue.synonyms.get(stems.slice(at, at + length).join(' '));
      if (meanings) sayings.push({ at, length, meanings: meanings.map((each) => counted(catalogue, each)) });
    }
  }
  return sayings;
}

function counted(catalogue: Catalogue, meaning: KnownMeaning): Meaning {
  const numbers = meaning.stems.map((stem) => servicesWith(catalogue, stem));
  return { ...meaning, services: numbers.length === 0 ? 0 : Math.min(...numbers) };
}

function beginningOf(catalogue: Catalogue, word: string): Beginning {
  const { postings, vocabulary } = catalogue;
  const begun = postings.stemsStartingWith(word);
  const stemmed =
    word.length < shortestStemmed
      ? []
      : [...vocabulary.stemsOfWordsStartingWith(word)].filter((stem) => !stem.startsWith(word));
  return {
    word,
    services: begun.reduce((sum, stem) => sum + servicesWith(catalogue, stem), 0),
    stems: stemmed,
  };
}

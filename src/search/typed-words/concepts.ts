import type { SearchIndex } from '../index/search-index.ts';
import type { Concept, Wording } from '../index/text-query.ts';
import { hasMeaning } from './small-words.ts';
import type { LibraryInMemory, Meaning } from './vocabulary.ts';

/** A concept, and how the page names it: as it was typed, and as services call it. */
export type NamedConcept = Concept & { names: readonly string[] };

/** A word that was typed, and what the library knows about it. */
type WordFacts = { word: string; stem: string; services: number };
/** A saying among the words that were typed. `at` is the index of its first word. */
type Saying = { at: number; length: number; meanings: readonly (Meaning & { services: number })[] };
/** A word that may be unfinished. `stems` are those of longer words whose own stems do not begin with it. */
type WordBeginning = { word: string; services: number; stems: readonly string[] };
export type SearchFacts = {
  /** How many services there are. */
  services: number;
  words: readonly WordFacts[];
  sayings: readonly Saying[];
  beginning: WordBeginning | undefined;
};

export const maxSayingLength = 5;
/** Letters of the shortest beginning for which longer words are looked up. For a shorter one, the stems that begin with it are enough. */
const minStemmedLength = 4;

/** What the library knows about the words that were typed. @param unfinished the last word, if it may go on */
export function factsOf(
  library: LibraryInMemory,
  words: readonly string[],
  stems: readonly string[],
  unfinished: string | undefined,
): SearchFacts {
  const { index } = library;
  return {
    services: index.size,
    words: words.map((word, at) => ({ word, stem: stems[at]!, services: index.countWith(stems[at]!) })),
    sayings: sayingsIn(library, stems),
    beginning: unfinished === undefined ? undefined : beginningOf(library, unfinished),
  };
}

function sayingsIn({ index, vocabulary }: LibraryInMemory, stems: readonly string[]): Saying[] {
  const sayings: Saying[] = [];
  for (let at = 0; at < stems.length; at += 1) {
    for (let length = 1; length <= maxSayingLength && at + length <= stems.length; length += 1) {
      const meanings = vocabulary.meaningsOf(stems.slice(at, at + length));
      if (meanings.length > 0) {
        sayings.push({ at, length, meanings: meanings.map((each) => withCount(index, each)) });
      }
    }
  }
  return sayings;
}

function withCount(index: SearchIndex, meaning: Meaning) {
  const counts = meaning.stems.map((stem) => index.countWith(stem));
  return { ...meaning, services: counts.length === 0 ? 0 : Math.min(...counts) };
}

function beginningOf({ index, vocabulary }: LibraryInMemory, word: string): WordBeginning {
  const services = index.stemsStartingWith(word).reduce((sum, stem) => sum + index.countWith(stem), 0);
  const stems =
    word.length < minStemmedLength
      ? []
      : [...vocabulary.stemsOfWordsStartingWith(word)].filter((stem) => !stem.startsWith(word));
  return { word, services, stems };
}

/** How much a word counts that only begins like the typed one. The words that were typed count 1. */
const worthOfBeginning = 0.7;
const worthOfMeaning = 0.75;
/** Meanings of a saying that are looked for. More of them would make the search slow and its results vague. */
const maxMeanings = 4;
/** A text with this many small words is a sentence, not a list of words. */
const smallWordsOfSentence = 2;

/**
 * The concepts to look for. A saying of several words is one concept, the longest saying first. Small words are left out, unless
 * nothing else was typed.
 */
export function conceptsOf(facts: SearchFacts): { concepts: NamedConcept[]; isSentence: boolean } {
  const spans = spansOf(facts);
  const meaningful = spans.filter(
    ({ words, saying }) => saying || words.some(({ word }) => hasMeaning(word)),
  );
  const concepts = (meaningful.length > 0 ? meaningful : spans).map((span) => conceptOf(span, facts));
  const isSentence = concepts.length > 1 && spans.length - concepts.length >= smallWordsOfSentence;
  return { concepts, isSentence };
}

type Span = { words: readonly WordFacts[]; saying: Saying | undefined; isLast: boolean };

function spansOf({ words, sayings }: SearchFacts): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < words.length; ) {
    const [saying] = sayings.filter((each) => each.at === at).sort((one, other) => other.length - one.length);
    const length = saying?.length ?? 1;
    spans.push({ words: words.slice(at, at + length), saying, isLast: at + length === words.length });
    at += length;
  }
  return spans;
}

function conceptOf({ words, saying, isLast }: Span, facts: SearchFacts): NamedConcept {
  const meaningful = words.filter(({ word }) => hasMeaning(word));
  const typedWording = wordingOf(meaningful.length > 0 ? meaningful : words);
  const mayBeUnfinished = isLast && facts.beginning && facts.beginning.services > typedWording.services;
  const meanings = (saying?.meanings ?? [])
    .filter(({ services, stems }) => services > 0 && !isSame(stems, typedWording))
    .sort((one, other) => one.services - other.services)
    .slice(0, maxMeanings);
  const wordings = [
    typedWording,
    ...(mayBeUnfinished ? [unfinishedWording(words, facts.beginning!)] : []),
    ...meanings.map(({ stems, services }) => ({ parts: partsOf(stems), services, worth: worthOfMeaning })),
  ];
  // The mean over its wordings, so that a rare word does not count much more than what it means.
  const known = wordings.filter(({ services }) => services > 0);
  const rarity = known.reduce((sum, { services }) => sum + rarityOf(services, facts), 0) / known.length;
  return {
    names: [words.map(({ word }) => word).join(' '), ...meanings.map(({ text }) => text)],
    wordings,
    rarity: known.length === 0 ? 0 : rarity,
  };
}

function wordingOf(words: readonly WordFacts[]): Wording {
  const services = Math.min(...words.map((word) => word.services));
  return { parts: partsOf(words.map(({ stem }) => stem)), services, worth: 1 };
}

const partsOf = (stems: readonly string[]) => stems.map((stem) => ({ stems: [stem] }));

function isSame(stems: readonly string[], { parts }: Wording): boolean {
  const own = new Set(parts.flatMap((part) => part.stems));
  return stems.length === own.size && stems.every((stem) => own.has(stem));
}

/** “bereaveme” is not the beginning of the stem “bereav”, so the stems of words that begin like this count too. */
function unfinishedWording(words: readonly WordFacts[], { word, services, stems }: WordBeginning): Wording {
  const before = words.slice(0, -1).map(({ stem }) => stem);
  return { parts: [...partsOf(before), { stems, beginning: word }], services, worth: worthOfBeginning };
}

/** How rare a word is: a logarithm, as in BM25, because a word twice as rare does not tell twice as much. */
function rarityOf(services: number, facts: SearchFacts): number {
  return Math.log(1 + facts.services / (services + 0.5));
}

import type { SearchIndex } from '../index/search-index.ts';
import type { Concept, Wording } from '../index/text-query.ts';
import { ownLifeSpans } from './own-life.ts';
import { hasMeaning } from './small-words.ts';
import type { LibraryInMemory, Meaning } from './vocabulary.ts';

/** A concept, and how the page names it: as it was typed, and as services call it. */
export type NamedConcept = Concept & { names: readonly string[] };

/** A word that was typed, and what the library knows about it. */
type TypedWord = { word: string; stem: string; serviceCount: number };
/** A saying among the words that were typed. `at` is the index of its first word. */
type Saying = {
  at: number;
  length: number;
  meanings: readonly (Meaning & { serviceCount: number })[];
  /** Somebody may take their own life, so what helps in a crisis comes before services that have the words. */
  isOfOwnLife?: true;
};
/** A word that may be unfinished. `stems` are those of longer words whose own stems do not begin with it. */
type WordBeginning = { word: string; serviceCount: number; stems: readonly string[] };
/** What was typed, and how many services have each part of it. */
export type TypedText = {
  /** How many services the library has. */
  serviceCount: number;
  words: readonly TypedWord[];
  sayings: readonly Saying[];
  beginning: WordBeginning | undefined;
};

export const maxSayingLength = 5;
/** Letters of the shortest beginning for which longer words are looked up. For a shorter one, the stems that begin with it are enough. */
const minStemmedLength = 4;

/** What the library knows about the words that were typed. @param unfinished the last word, if it may go on */
export function typedTextOf(
  library: LibraryInMemory,
  words: readonly string[],
  stems: readonly string[],
  unfinished: string | undefined,
): TypedText {
  const { index } = library;
  return {
    serviceCount: index.size,
    words: words.map((word, at) => ({ word, stem: stems[at]!, serviceCount: index.countWith(stems[at]!) })),
    sayings: [...sayingsOfOwnLife(library, words), ...sayingsIn(library, stems)],
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

/** All that people say of it mean what “want to die” means, which a site can change. */
const stemsOfWantToDie = ['want', 'to', 'die'];

function sayingsOfOwnLife({ index, vocabulary }: LibraryInMemory, words: readonly string[]): Saying[] {
  const meanings = vocabulary.meaningsOf(stemsOfWantToDie).map((each) => withCount(index, each));
  if (meanings.every(({ serviceCount }) => serviceCount === 0)) return [];
  return ownLifeSpans(words).map((span) => ({ ...span, meanings, isOfOwnLife: true }));
}

function withCount(index: SearchIndex, meaning: Meaning) {
  const counts = meaning.stems.map((stem) => index.countWith(stem));
  return { ...meaning, serviceCount: counts.length === 0 ? 0 : Math.min(...counts) };
}

function beginningOf({ index, vocabulary }: LibraryInMemory, word: string): WordBeginning {
  const serviceCount = index.stemsStartingWith(word).reduce((sum, stem) => sum + index.countWith(stem), 0);
  const stems =
    word.length < minStemmedLength
      ? []
      : [...vocabulary.stemsOfWordsStartingWith(word)].filter((stem) => !stem.startsWith(word));
  return { word, serviceCount, stems };
}

/** How much a word counts that only begins like the typed one. The words that were typed count 1. */
const worthOfBeginning = 0.7;
const worthOfMeaning = 0.75;
/** “Suicide” is mostly in the names of groups for those who lost somebody. */
const worthOfOwnLife = 0.2;
/** Meanings of a saying that are looked for. More of them would make the search slow and its results vague. */
const maxMeanings = 4;
/** A text with this many small words is a sentence, not a list of words. */
const smallWordsOfSentence = 2;

/**
 * The concepts to look for. A saying of several words is one concept, the longest saying first. Small words are left out, unless
 * nothing else was typed.
 */
export function conceptsOf(typed: TypedText): { concepts: NamedConcept[]; isSentence: boolean } {
  const spans = spansOf(typed);
  const meaningful = spans.filter(
    ({ words, saying }) => saying || words.some(({ word }) => hasMeaning(word)),
  );
  const concepts = (meaningful.length > 0 ? meaningful : spans).map((span) => conceptOf(span, typed));
  const isSentence = concepts.length > 1 && spans.length - concepts.length >= smallWordsOfSentence;
  return { concepts, isSentence };
}

type Span = { words: readonly TypedWord[]; saying: Saying | undefined; isLast: boolean };

function spansOf({ words, sayings }: TypedText): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < words.length; ) {
    const [saying] = sayings
      .filter((each) => each.at === at)
      .sort(
        (one, other) =>
          Number(other.isOfOwnLife ?? false) - Number(one.isOfOwnLife ?? false) || other.length - one.length,
      );
    const length = saying?.length ?? 1;
    spans.push({ words: words.slice(at, at + length), saying, isLast: at + length === words.length });
    at += length;
  }
  return spans;
}

function conceptOf({ words, saying, isLast }: Span, typed: TypedText): NamedConcept {
  const meaningful = words.filter(({ word }) => hasMeaning(word));
  const typedWording = wordingOf(meaningful.length > 0 ? meaningful : words);
  const mayBeUnfinished =
    isLast && typed.beginning && typed.beginning.serviceCount > typedWording.serviceCount;
  const meanings = (saying?.meanings ?? [])
    .filter(({ serviceCount, stems }) => serviceCount > 0 && !isSame(stems, typedWording))
    .sort((one, other) => one.serviceCount - other.serviceCount)
    .slice(0, maxMeanings);
  const isOfOwnLife = saying?.isOfOwnLife ?? false;
  const isPhraseOfOwnLife = isOfOwnLife && words.length > 1;
  const wordings = [
    // Of “end it all” only “end” would be looked for.
    ...(isPhraseOfOwnLife ? [] : [{ ...typedWording, worth: isOfOwnLife ? worthOfOwnLife : 1 }]),
    ...(mayBeUnfinished && !isOfOwnLife ? [unfinishedWording(words, typed.beginning!)] : []),
    ...meanings.map(({ stems, serviceCount }) => ({
      parts: partsOf(stems),
      serviceCount,
      worth: worthOfMeaning,
    })),
  ];
  // The mean over its wordings, so that a rare word does not count much more than what it means.
  const known = wordings.filter(({ serviceCount }) => serviceCount > 0);
  const rarity =
    known.reduce((sum, { serviceCount }) => sum + rarityOf(serviceCount, typed), 0) / known.length;
  return {
    names: [words.map(({ word }) => word).join(' '), ...meanings.map(({ text }) => text)],
    wordings,
    rarity: known.length === 0 ? 0 : rarity,
  };
}

function wordingOf(words: readonly TypedWord[]): Wording {
  const serviceCount = Math.min(...words.map((word) => word.serviceCount));
  return { parts: partsOf(words.map(({ stem }) => stem)), serviceCount, worth: 1 };
}

const partsOf = (stems: readonly string[]) => stems.map((stem) => ({ stems: [stem] }));

function isSame(stems: readonly string[], { parts }: Wording): boolean {
  const own = new Set(parts.flatMap((part) => part.stems));
  return stems.length === own.size && stems.every((stem) => own.has(stem));
}

/** “bereaveme” is not the beginning of the stem “bereav”, so the stems of words that begin like this count too. */
function unfinishedWording(
  words: readonly TypedWord[],
  { word, serviceCount, stems }: WordBeginning,
): Wording {
  const before = words.slice(0, -1).map(({ stem }) => stem);
  return { parts: [...partsOf(before), { stems, beginning: word }], serviceCount, worth: worthOfBeginning };
}

/** How rare a word is: a logarithm, as in BM25, because a word twice as rare does not tell twice as much. */
function rarityOf(serviceCount: number, typed: TypedText): number {
  return Math.log(1 + typed.serviceCount / (serviceCount + 0.5));
}

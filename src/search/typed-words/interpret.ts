import { foldText, isSearchWord, typedWords } from '../../library/index.ts';
import type { Concept, TextQuery } from '../index/text-query.ts';
import { conceptsOf, type NamedConcept, type TypedText, typedTextOf } from './concepts.ts';
import { ownLifeSpans } from './own-life.ts';
import { hasMeaning } from './small-words.ts';
import type { LibraryInMemory } from './vocabulary.ts';

/** Has PostgreSQL reduce words to stems, for words that the library does not know. */
export type StemWords = (words: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** A search with operators, that is quotes or a minus, in the syntax of `websearch_to_tsquery`. */
type WebsearchQuery = { websearch: string };

/** One way to understand what was typed. */
export type Interpretation = {
  text: TextQuery | WebsearchQuery;
  /** The words that this interpretation looks for, if they are not the typed ones. */
  searchedFor?: string | undefined;
};

/**
 * The share of the concepts, by rarity, that makes a service worth listing. A sentence may name several needs, and one of
 * them is enough, unless very many services have any of its words.
 */
const shareOfWords = 0.4;
const shareOfSentence = 0.15;
/** From a longer text, the concepts that tell services apart best are taken. */
const maxConcepts = 12;
const maxWords = 60;
/** Misspelt words that are corrected. Each costs a quarter of a millisecond, and a text with more of them is hardly a search. */
const maxCorrections = 10;
/** A concept that more services than this have does not tell them apart. */
const manyServices = 3000;

/**
 * The ways to understand what was typed, from narrow to wide: services with all of it, in these words or in others that
 * mean the same; with misspelt words corrected; with most of it; with any of it.
 */
export async function* interpretations(
  library: LibraryInMemory,
  stemWords: StemWords,
  search: string,
): AsyncGenerator<Interpretation> {
  const words = typedWords(search).slice(0, maxWords);
  if (hasOperators(search) || words.length === 0) return yield { text: { websearch: search } };
  // Nobody who may take their own life looks for a group named “After Suicide”.
  const typed = ownLifeSpans(words).length > 0 ? 'crisis' : foldText(search.trim()).replaceAll('’', "'");
  const isUnfinished = /[\p{L}\p{M}\p{N}]{2}$/u.test(search);
  const typedText = await lookUpWords(library, stemWords, words, isUnfinished ? words.at(-1) : undefined);
  const { concepts, isSentence } = conceptsOf(typedText);
  const hasOr = words.includes('or');
  // A service need not have every word of a sentence, or of a text with “or”.
  const needsAll = !isSentence && !hasOr;
  if (needsAll) yield { text: queryForAll(concepts, typed), searchedFor: namesWithSynonyms(concepts) };

  const corrected = await correctWords(library, stemWords, typedText);
  const distinctive = chooseDistinctive(corrected ? conceptsOf(corrected).concepts : concepts);
  if (corrected && needsAll)
    yield { text: queryForAll(distinctive, typed), searchedFor: namesOf(distinctive, ', ') };
  if (concepts.length === 1 && needsAll) return;
  // From here on, services with only some of the concepts. Each share asks for fewer concepts than the one before.
  const firstShare = hasOr ? 0 : shareFor(isSentence, distinctive);
  for (const share of new Set([firstShare, Math.min(firstShare, shareOfSentence), 0])) {
    const text = { concepts: distinctive, share, typed, isBroad: false };
    yield { text, searchedFor: namesOf(distinctive, ' or ') };
  }
}

/** Whether there is a pair of quotes, or a minus before a word. */
function hasOperators(search: string): boolean {
  return /"[^"]*[\p{L}\p{N}][^"]*"|(^|\s)-["\p{L}\p{N}]/u.test(search);
}

async function lookUpWords(
  library: LibraryInMemory,
  stemWords: StemWords,
  words: readonly string[],
  unfinished: string | undefined,
): Promise<TypedText> {
  const { vocabulary } = library;
  const unknown = [...new Set(words)].filter((word) => vocabulary.stemOf(word) === undefined);
  const stems = unknown.length > 0 ? await stemWords(unknown) : new Map<string, string>();
  return typedTextOf(
    library,
    words,
    words.map((word) => vocabulary.stemOf(word) ?? stems.get(word)!),
    unfinished,
  );
}

function queryForAll(concepts: readonly NamedConcept[], typed: string): TextQuery {
  const isBroad = concepts.every(({ wordings }) =>
    wordings.some(({ serviceCount }) => serviceCount > manyServices),
  );
  return { concepts, share: 1, typed, isBroad };
}

function shareFor(isSentence: boolean, concepts: readonly Concept[]): number {
  const serviceCount = concepts
    .flatMap(({ wordings }) => wordings)
    .reduce((sum, each) => sum + each.serviceCount, 0);
  return isSentence && serviceCount <= manyServices ? shareOfSentence : shareOfWords;
}

/** What is known about the words once misspelt ones are corrected; undefined if nothing was corrected. */
async function correctWords(
  library: LibraryInMemory,
  stemWords: StemWords,
  { words, beginning }: TypedText,
): Promise<TypedText | undefined> {
  const isBeginning = (word: string) => beginning?.word === word && beginning.serviceCount > 0;
  const unknown = words.filter(({ word, serviceCount }) => serviceCount === 0 && !isBeginning(word));
  const corrections = new Map<string, string>();
  for (const { word } of unknown.slice(0, maxCorrections)) {
    const correction = findCorrection(library, word);
    if (correction !== undefined) corrections.set(word, correction);
  }
  if (corrections.size === 0) return undefined;
  const correctedWords = words.map(({ word }) => corrections.get(word) ?? word);
  const unfinished = beginning && !corrections.has(beginning.word) ? beginning.word : undefined;
  return lookUpWords(library, stemWords, correctedWords, unfinished);
}

/** The word that was probably meant by a misspelt one: the commonest of those with the fewest slips. */
function findCorrection({ index, vocabulary }: LibraryInMemory, word: string): string | undefined {
  if (!isSearchWord(word) || !hasMeaning(word) || vocabulary.isInUse(word, index)) return undefined;
  const [best] = vocabulary
    .correctionsOf(word)
    .filter((each) => each.word !== word && vocabulary.isInUse(each.word, index))
    .map((each) => ({ ...each, serviceCount: index.countWith(each.stem) }))
    .sort(
      (one, other) =>
        one.slips - other.slips || other.serviceCount - one.serviceCount || (one.word < other.word ? -1 : 1),
    );
  return best?.word;
}

/** The concepts that tell services apart best, among those that some service has, in the order of the words. */
function chooseDistinctive(concepts: readonly NamedConcept[]): readonly NamedConcept[] {
  const found = concepts.filter(({ rarity }) => rarity > 0);
  const best = new Set(found.toSorted((one, other) => other.rarity - one.rarity).slice(0, maxConcepts));
  return best.size > 0 ? found.filter((each) => best.has(each)) : concepts.slice(0, maxConcepts);
}

function namesWithSynonyms(concepts: readonly NamedConcept[]): string | undefined {
  return concepts.some(({ names }) => names.length > 1) ? namesOf(concepts, ', ') : undefined;
}

/** The concepts as the page names them: “husband, died or bereavement”. */
function namesOf(concepts: readonly NamedConcept[], between: ', ' | ' or '): string {
  return between === ' or '
    ? [...new Set(concepts.flatMap(({ names }) => names))].join(between)
    : concepts.map(({ names }) => names.join(' or ')).join(between);
}

import type { Db } from '../../platform/database/index.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { nearMisses } from './alike-words.ts';
import { ideasOf, type SpokenIdea } from './ideas.ts';
import { findSearchFacts, type SearchFacts } from './search-facts.ts';
import { hasSigns, type TextQuery } from './text-query.ts';
import { isCorrectable, plain, typedWords } from './words.ts';

export type Attempt = {
  text: TextQuery;
  /** The words that it looks for, where they are not the ones that were typed. */
  searchedFor?: string | undefined;
  /** Only for where nothing at all was found before. */
  lastResort?: boolean;
};

/**
 * The part of what was asked for that makes a service worth listing. Of a sentence, which may name several needs, one of
 * them is enough, unless the library is so large that every service with any of its words cannot be weighed.
 */
const partOfWords = 0.4;
const partOfSentence = 0.15;
/** Of a longer text, the words that tell services apart best. */
const mostIdeas = 12;
const mostWords = 60;

/**
 * The ways to look for what was typed, from narrow to wide: services with all of it, in these words or in others that
 * mean the same; with misspelt words corrected; with most of it; with anything of it.
 */
export async function* attempts(db: Db, catalogue: Catalogue, search: string): AsyncGenerator<Attempt> {
  const words = typedWords(search).slice(0, mostWords);
  if (hasSigns(search) || words.length === 0) return yield { text: { web: search } };
  const typed = plain(search.trim()).replaceAll('’', "'");
  const isUnfinished = /[\p{L}\p{M}\p{N}]{2}$/u.test(search);
  const facts = await findSearchFacts(db, catalogue, words, isUnfinished ? words.at(-1) : undefined);
  const { ideas, isSentence } = ideasOf(facts);
  const isEither = words.includes('or');
  // Who writes a sentence does not mean that every word of it must be there.
  const needsAll = !isSentence && !isEither;
  if (needsAll) yield { text: allOf(ideas, typed), searchedFor: meant(ideas) };

  const corrected = await correct(db, catalogue, facts);
  const known = mostTelling(corrected ? ideasOf(corrected).ideas : ideas);
  if (corrected && needsAll) yield { text: allOf(known, typed), searchedFor: named(known, ', ') };
  if (ideas.length === 1 && needsAll) return;
  const most = isEither ? 0 : partToHave(isSentence, known);
  for (const share of [most, partOfSentence, 0]) {
    const text = { ideas: known, share, typed, isBroad: false };
    yield { text, searchedFor: named(known, either), lastResort: share !== most };
  }
}

function allOf(ideas: readonly SpokenIdea[], typed: string): TextQuery {
  return { ideas, share: 1, typed, isBroad: isBroad(ideas) };
}

function partToHave(isSentence: boolean, ideas: readonly SpokenIdea[]): number {
  return isSentence && countedTogether(ideas) <= manyServices ? partOfSentence : partOfWords;
}

/** What is known of the words when those that nobody knows are put right; none where there is nothing to put right. */
async function correct(
  db: Db,
  catalogue: Catalogue,
  { words, beginning }: SearchFacts,
): Promise<SearchFacts | undefined> {
  const isBeginning = (word: string) => beginning?.word === word && beginning.services > 0;
  const unknown = words.filter(({ word, services }) => services === 0 && !isBeginning(word));
  const meant = new Map(unknown.flatMap(({ word }) => probablyMeant(catalogue, word)));
  if (meant.size === 0) return undefined;
  const right = words.map(({ word }) => meant.get(word) ?? word);
  return findSearchFacts(
    db,
    catalogue,
    right,
    beginning && !meant.has(beginning.word) ? beginning.word : undefined,
  );
}

/** A word that nobody spells so, and the one that it is most like. */
function probablyMeant({ vocabulary }: Catalogue, word: string): [string, string][] {
  if (!isCorrectable(word) || vocabulary.stemOf(word) !== undefined) return [];
  return nearMisses(word, vocabulary.wordsLike(word))
    .slice(0, 1)
    .map((meant) => [word, meant]);
}

/** The ideas that services have something of, the most telling of them, in their order. */
function mostTelling(ideas: readonly SpokenIdea[]): readonly SpokenIdea[] {
  const known = ideas.filter(({ rarity }) => rarity > 0);
  const telling = new Set(known.toSorted((one, other) => other.rarity - one.rarity).slice(0, mostIdeas));
  return telling.size > 0 ? known.filter((idea) => telling.has(idea)) : ideas.slice(0, mostIdeas);
}

/** So many that to read the whole text of each takes longer than somebody waits who is still typing. */
const manyServices = 3000;

function isBroad(ideas: readonly SpokenIdea[]): boolean {
  return ideas.every(({ forms }) => forms.some(({ services }) => services > manyServices));
}

/** How many services have any of the ideas, at most. */
function countedTogether(ideas: readonly SpokenIdea[]): number {
  return ideas.flatMap(({ forms }) => forms).reduce((sum, { services }) => sum + services, 0);
}

const either = ' or ';

/** The words that were looked for, where there are more than were typed. */
function meant(ideas: readonly SpokenIdea[]): string | undefined {
  return ideas.some(({ said }) => said.length > 1) ? named(ideas, ', ') : undefined;
}

/** The ideas as the page names them: “husband, died or bereavement”. */
function named(ideas: readonly SpokenIdea[], between: string): string {
  return between === either
    ? [...new Set(ideas.flatMap(({ said }) => said))].join(either)
    : ideas.map(({ said }) => said.join(either)).join(between);
}

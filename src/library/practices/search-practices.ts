import type { Db } from '../../platform/database/index.ts';
import { likelyCorrections } from '../model/spelling.ts';
import { isCorrectable } from '../model/words.ts';
import { distinctiveWords, type PracticeQuery, practiceWords } from './practice-query.ts';
import {
  type FoundPractice,
  findAlikeWords,
  findPractices,
  isAnyPractice,
  type Near,
} from './search-store.ts';

export type PracticeSearch = {
  /** What was typed of a name, a town, an address, a postcode or a code. */
  search?: string | undefined;
  near?: Near | undefined;
  afterCode?: string | undefined;
  limit: number;
};

/**
 * The practices that fit, best matches first, then the nearest: those with all the words as they were typed, whose ends
 * may be missing; where there are none, with the words corrected; where there are none either, with any of the words.
 */
export async function searchPractices(
  db: Db,
  request: PracticeSearch,
): Promise<{ practices: FoundPractice[]; more: boolean }> {
  const { near, afterCode, limit } = request;
  const typed = practiceWords(request.search ?? '');
  const query = typed.length === 0 ? undefined : await chooseQuery(db, typed);
  const found = await findPractices(db, { typed, query, near, afterCode, limit: limit + 1 });
  return { practices: found.slice(0, limit), more: found.length > limit };
}

/** The first way to look for the words that finds something; every page of a search takes the same one. */
async function chooseQuery(db: Db, typed: readonly string[]): Promise<PracticeQuery> {
  const asTyped: PracticeQuery = { wanted: 'all', words: typed.map((word) => [word]) };
  if (await isAnyPractice(db, asTyped)) return asTyped;
  const alike = await findCorrections(db, typed);
  const words = typed.map((word) => alike.get(word) ?? [word]);
  const corrected: PracticeQuery = { wanted: 'all', words };
  if (alike.size > 0 && (await isAnyPractice(db, corrected))) return corrected;
  return { wanted: 'any', words: distinctiveWords(words) };
}

/** For each word that no practice is called by, those that were probably meant, the most alike first. */
async function findCorrections(db: Db, words: readonly string[]): Promise<Map<string, string[]>> {
  const found = Map.groupBy(await findAlikeWords(db, words.filter(isCorrectable)), ({ word }) => word);
  return new Map(
    [...found]
      .map(
        ([word, alike]) =>
          [
            word,
            likelyCorrections(
              word,
              alike.map(({ alike, similarity }) => ({ word: alike, similarity })),
            ),
          ] as const,
      )
      .filter(([, meant]) => meant.length > 0),
  );
}

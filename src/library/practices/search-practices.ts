import type { Db } from '../../platform/database/index.ts';
import { isSearchWord } from '../model/words.ts';
import type { Point } from '../postcodes/postcodes-store.ts';
import { distinctiveWords, type PracticeQuery, practiceWords } from './practice-query.ts';
import { type FoundPractice, findSimilarWords, listMatchingPractices, matchesAny } from './search-store.ts';
import { likelyCorrections } from './spelling.ts';

export type PracticeSearch = {
  /** Words of a name, a town, an address, a postcode or a code. */
  search?: string | undefined;
  near?: Point | undefined;
  afterCode?: string | undefined;
  /** Leaves out practices that have closed by this day. */
  openOn?: string;
  limit: number;
};

/**
 * Practices that match, the best first, then the nearest. All typed words must match, unfinished or not. If nothing matches,
 * misspelt words are corrected; if still nothing does, any word is enough.
 */
export async function searchPractices(
  db: Db,
  request: PracticeSearch,
): Promise<{ practices: FoundPractice[]; hasMore: boolean }> {
  const { near, afterCode, openOn, limit } = request;
  const typed = practiceWords(request.search ?? '');
  const query = typed.length === 0 ? undefined : await chooseQuery(db, typed);
  const practices = await listMatchingPractices(db, {
    typed,
    query,
    near,
    afterCode,
    openOn,
    limit: limit + 1,
  });
  return { practices: practices.slice(0, limit), hasMore: practices.length > limit };
}

/** The first query that finds something. Every page of a search uses the same one. */
async function chooseQuery(db: Db, typed: readonly string[]): Promise<PracticeQuery> {
  const exactQuery: PracticeQuery = { wanted: 'all', words: typed.map((word) => [word]) };
  if (await matchesAny(db, exactQuery)) return exactQuery;
  const corrections = await findCorrections(db, typed);
  const words = typed.map((word) => corrections.get(word) ?? [word]);
  const corrected: PracticeQuery = { wanted: 'all', words };
  if (corrections.size > 0 && (await matchesAny(db, corrected))) return corrected;
  return { wanted: 'any', words: distinctiveWords(words) };
}

/** Likely corrections of words that no practice has, the most similar first. */
async function findCorrections(db: Db, words: readonly string[]): Promise<Map<string, string[]>> {
  const similar = await findSimilarWords(db, words.filter(isSearchWord));
  const corrections = new Map<string, string[]>();
  for (const [word, candidates] of Map.groupBy(similar, ({ word }) => word)) {
    const likely = likelyCorrections(word, candidates);
    if (likely.length > 0) corrections.set(word, likely);
  }
  return corrections;
}

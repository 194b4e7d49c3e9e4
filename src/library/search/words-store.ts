import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** Words of the library that begin like this one, the shortest first. */
export async function findWordsStarting(db: Db, start: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select word from search_words where word >= ${start} and word < ${`${start}~`}
    order by length(word), word limit ${limit}`.execute(db);
  return rows.map(({ word }) => word);
}

/** Words that are spelt right: those of the services, or those that GP practices are called by. */
export type Vocabulary = 'search_words' | 'practice_words';

/** A practice's words may all be unfinished, so there the beginning of a known word is known. */
const afterKnown: Readonly<Record<Vocabulary, string>> = { search_words: '', practice_words: '~' };

export type AlikeWord = { word: string; alike: string; similarity: number };

/** For each word that a vocabulary does not know, some of its words that are like it, the most alike first. */
export async function findAlikeWords(
  db: Db,
  vocabulary: Vocabulary,
  words: readonly string[],
): Promise<AlikeWord[]> {
  const known = sql.table(vocabulary);
  const { rows } = await sql<AlikeWord>`
    select given.word, alike.word as alike, alike.similarity
    from unnest(${[...words]}::text[]) as given(word)
    cross join lateral (
      select w.word, similarity(w.word, given.word) as similarity from ${known} w where w.word % given.word
      order by similarity(w.word, given.word) desc, w.word limit 10) as alike
    where not exists (
      select from ${known} w where w.word >= given.word and w.word <= given.word || ${afterKnown[vocabulary]})
    order by alike.similarity desc, alike.word`.execute(db);
  return rows;
}

/** What words of everyday language mean in the words that services use. */
export async function findMeanings(db: Db, words: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ word: string; meanings: string[] }>`
    select word, array_agg(meaning order by meaning) as meanings from search_synonyms
    where word = any(${[...words]}) group by word`.execute(db);
  return new Map(rows.map(({ word, meanings }) => [word, meanings]));
}

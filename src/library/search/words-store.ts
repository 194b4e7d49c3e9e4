import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

/** How PostgreSQL reduces each word to what is the same in all its forms. */
export async function findStems(db: Db, words: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ word: string; stem: string }>`
    /* prepared as word-stems */ select word, word_stem(word) as stem from unnest(${[...words]}::text[]) as word`.execute(
    db,
  );
  return new Map(rows.map(({ word, stem }) => [word, stem]));
}

/** Words that are spelt right from now on. */
export async function saveSearchWords(trx: Trx, words: readonly string[]): Promise<void> {
  await sql`
    insert into search_words (word) select * from unnest(${words.toSorted()}::text[])
    on conflict do nothing`.execute(trx);
}

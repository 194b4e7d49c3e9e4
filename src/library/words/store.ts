import { sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';

/** Notes words as spelt right: what is typed is completed to them, and corrected to them where it is misspelt. */
export async function saveSearchWords(trx: Trx, words: readonly string[]): Promise<void> {
  await sql`
    insert into search_words (word) select * from unnest(${words.toSorted()}::text[])
    on conflict do nothing`.execute(trx);
}

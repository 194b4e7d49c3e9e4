import { type Kysely, sql } from 'kysely';

/** In how many services each word is, is counted in the catalogue: an import no longer counts it anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop table search_stems`.execute(db);
}

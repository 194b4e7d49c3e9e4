import { type Kysely, sql } from 'kysely';

/** What an import left out: grouped for its page, and the whole list as CSV. Reports from before keep their `problems`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table library_imports add column left_out jsonb, add column left_out_csv text`.execute(db);
}

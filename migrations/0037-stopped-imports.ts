import { type Kysely, sql } from 'kysely';

/** Who wants an import stopped that is under way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table library_imports add column stopped_by text`.execute(db);
}

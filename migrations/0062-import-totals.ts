import { type Kysely, sql } from 'kysely';

/** How many records the preview of an import found, so that its page can say how far the import has come. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table library_imports add column total integer`.execute(db);
}

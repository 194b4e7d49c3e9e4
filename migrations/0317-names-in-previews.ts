import { type Kysely, sql } from 'kysely';

/** The preview of an import names the services that it would add, change or make inactive. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table library_imports add column would_change jsonb`.execute(db);
  await sql`comment on column library_imports.would_change is
    'Of a preview: the ids and names of the first services that would be added, changed or made inactive.'`.execute(
    db,
  );
}

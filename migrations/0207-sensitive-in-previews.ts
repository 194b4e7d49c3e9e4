import { type Kysely, sql } from 'kysely';

/** The preview of an import says which new services the site would mark as sensitive because of their words. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table library_imports add column would_mark jsonb`.execute(db);
  await sql`comment on column library_imports.would_mark is
    'Of a preview: how many new services would be marked as sensitive because of their words, and the first of their names.'`.execute(
    db,
  );
}

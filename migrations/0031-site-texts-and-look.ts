import { type Kysely, sql } from 'kysely';

/** The site's own texts of the pages in the footer, and its mark and colour. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table site_texts (
      name text primary key,
      text text not null,
      updated_at timestamptz not null,
      updated_by_name text not null
    )`.execute(db);
  await sql`
    create table site_look (
      -- One row.
      single boolean primary key default true check (single),
      colour text check (colour ~ '^#[0-9a-f]{6}$'),
      logo bytea,
      logo_type text check (logo_type in ('image/png', 'image/jpeg')),
      check ((logo is null) = (logo_type is null))
    )`.execute(db);
}

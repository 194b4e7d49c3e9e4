import { type Kysely, sql } from 'kysely';

/** Feeds that the site imports by itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table scheduled_feeds (
      -- The name of the source: the address without anything secret.
      name text primary key,
      -- The whole address, which may hold a key.
      address_sealed bytea not null,
      every_days integer not null check (every_days in (1, 7)),
      account_id uuid not null,
      scheduled_by text not null,
      next_at timestamptz not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`alter table library_imports add column is_scheduled boolean not null default false`.execute(db);
}

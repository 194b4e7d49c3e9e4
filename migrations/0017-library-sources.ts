import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sources(db);
  await changes(db);
  await imports(db);
}

/** Where services come from: a feed, or a file that is read again now and then. What has no source was made here. */
async function sources(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table library_sources (
      id uuid primary key,
      -- A feed's address, or what a file is called.
      name text not null unique,
      -- What changed there since this moment is still to be read; null until a feed was read from end to end.
      changed_since timestamptz,
      -- How far a reading came that was cut off.
      position jsonb,
      created_at timestamptz not null
    )`.execute(db);
  await sql`
    alter table services
      add column source_id uuid references library_sources,
      -- Of what the source said last. Where it says the same again, what was edited here since then stays.
      add column source_hash text`.execute(db);
  await sql`create index services_source on services (source_id) where source_id is not null`.execute(db);
  // What the reading that was cut off had seen already: no foreign key, since refused entries are seen as well.
  await sql`
    create table library_seen_entries (
      source_id uuid not null references library_sources on delete cascade,
      service_id text not null,
      primary key (source_id, service_id)
    )`.execute(db);
}

/** Every change of the library, a row for each field, as HSDS's `metadata` has them. */
async function changes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table library_changes (
      number bigint generated always as identity,
      id uuid primary key default gen_random_uuid(),
      resource_type text not null,
      resource_id text not null,
      at timestamptz not null,
      action text not null check (action in ('create', 'update', 'delete')),
      field_name text not null,
      previous_value text not null,
      replacement_value text not null,
      updated_by text not null,
      -- Who did it, where an account did, and from where it was taken. Neither is handed out.
      account_id uuid,
      source_id uuid references library_sources
    )`.execute(db);
  await sql`create index library_changes_of on library_changes (resource_type, resource_id, number)`.execute(
    db,
  );
}

/** Imports that operators start on the page, with the file until it was read, and what became of them. */
async function imports(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table library_imports (
      id uuid primary key,
      -- A file's name or a feed's address.
      name text not null,
      is_feed boolean not null,
      source_name text not null,
      is_complete boolean not null,
      dry_run boolean not null,
      state text not null check (state in ('waiting', 'running', 'done', 'failed', 'discarded')),
      account_id uuid not null,
      started_by text not null,
      created_at timestamptz not null,
      started_at timestamptz,
      ended_at timestamptz,
      counts jsonb,
      problems jsonb not null default '[]',
      warning text,
      failure text
    )`.execute(db);
  await sql`create index library_imports_latest on library_imports (created_at desc, id desc)`.execute(db);
  await sql`
    create table library_import_chunks (
      import_id uuid not null references library_imports on delete cascade,
      number integer not null,
      content bytea not null,
      primary key (import_id, number)
    )`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** What an import needs to be undone: each service as it was before. It is kept for a month. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table services_before_imports (
      -- No reference: an import from the command line is listed only once it has ended.
      import_id uuid not null,
      service_id text collate "C" not null,
      -- The whole service as JSON; null where the import made it.
      document text,
      -- Of the service as the import left it. If it differs later, somebody has changed the service since.
      hash_after text not null,
      kept_at timestamptz not null,
      primary key (import_id, service_id)
    )`.execute(db);
  await sql`create index on services_before_imports (kept_at)`.execute(db);
  await sql`create index on services_before_imports (service_id) where document is not null`.execute(db);
  await sql`
    alter table library_imports
      add column undo_state text check (undo_state in ('running', 'done')),
      add column undone_by text,
      add column undo_counts jsonb`.execute(db);
}

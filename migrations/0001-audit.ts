import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_entries (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      actor_id uuid,
      actor_name text not null,
      actor_role text,
      organisation text,
      action text not null,
      subject_type text,
      subject_id text,
      outcome text not null,
      address text,
      details jsonb not null default '{}'
    )`.execute(db);
  await sql`create index audit_entries_subject on audit_entries (subject_type, subject_id, id)`.execute(db);
  await sql`create index audit_entries_actor on audit_entries (actor_id, id)`.execute(db);
  // Append-only, also for a mistaken query of our own.
  await sql`
    create function refuse_change() returns trigger language plpgsql as
    $$ begin raise exception '% is append-only', tg_table_name; end $$`.execute(db);
  await sql`
    create trigger audit_entries_append_only before update or delete or truncate on audit_entries
    for each statement execute function refuse_change()`.execute(db);
  // What a site knows of itself, such as which site key made it.
  await sql`create table site_facts (name text primary key, value bytea not null)`.execute(db);
}

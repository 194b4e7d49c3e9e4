import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_links (
      position bigint primary key check (position > 0),
      entry_id bigint not null unique references audit_entries,
      hash bytea not null check (octet_length(hash) = 32),
      sealed_at timestamptz not null
    )`.execute(db);
  await sql`
    create trigger audit_links_append_only before update or delete or truncate on audit_links
    for each statement execute function refuse_change()`.execute(db);
  // Which entries wait for their link. Entries commit out of order, so that a highest number would pass some over; and
  // a look at all entries, every few seconds, would take longer with every year.
  await sql`create table audit_unsealed (entry_id bigint primary key)`.execute(db);
  await sql`insert into audit_unsealed select id from audit_entries`.execute(db);
  // For the operator's search, newest first.
  await sql`create index audit_entries_at on audit_entries (at, id)`.execute(db);
  await sql`create index audit_entries_actor_name on audit_entries (actor_name, at, id)`.execute(db);
  await sql`create index audit_entries_action on audit_entries (action, at, id)`.execute(db);
}

import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await savedLists(db);
  await responsiveness(db);
}

/** Lists of services that an organisation keeps, for all its accounts. */
async function savedLists(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table service_lists (
      id uuid primary key,
      organisation_id uuid not null references organisations on delete cascade,
      name text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create unique index service_lists_name on service_lists (organisation_id, lower(name))`.execute(
    db,
  );
  await sql`
    create table service_list_entries (
      number bigint generated always as identity,
      list_id uuid not null references service_lists on delete cascade,
      service_id text not null references services on delete cascade,
      saved_at timestamptz not null,
      saved_by uuid references accounts on delete set null,
      primary key (list_id, service_id)
    )`.execute(db);
  await sql`create index service_list_entries_service on service_list_entries (service_id)`.execute(db);
}

/** How services answer, reckoned from referrals now and then. Null is what would show single people through. */
async function responsiveness(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table service_responsiveness (
      service_id text primary key references services on delete cascade,
      median_days double precision,
      share_accepted double precision,
      referrals_90_days integer,
      rejection_code text
    )`.execute(db);
  // Lists show it, so what is remembered of the library ends when it changes.
  await sql`
    create trigger library_changes after insert or update or delete or truncate on service_responsiveness
    for each statement execute function library_changes()`.execute(db);
}

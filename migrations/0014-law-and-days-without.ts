import { type Kysely, sql } from 'kysely';

/** What the law asks of a site, and a copy of open referrals for days on which the site is away. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // What people ask about their record with the public form.
  await sql`
    create table record_requests (
      id uuid primary key,
      reference text not null unique,
      kind text not null check (kind in ('copy', 'correct', 'object', 'erase', 'complain')),
      name text not null,
      -- How to reach the person safely, in their own words.
      contact text not null,
      words text not null,
      received_at timestamptz not null,
      due_on date not null,
      -- Only complaints are acknowledged before the answer.
      acknowledge_on date,
      acknowledged_at timestamptz,
      owner_id uuid references accounts,
      answered_at timestamptz,
      answered_by_name text,
      answer text,
      check ((answered_at is null) = (answer is null))
    )`.execute(db);
  await sql`create index record_requests_open on record_requests (due_on, id) where answered_at is null`.execute(
    db,
  );
  await sql`
    create table record_request_notes (
      id uuid primary key,
      request_id uuid not null references record_requests on delete cascade,
      at timestamptz not null,
      by_name text not null,
      text text not null
    )`.execute(db);
  await sql`create index record_request_notes_of on record_request_notes (request_id, id)`.execute(db);

  await sql`
    alter table organisations
      add column sharing_role text check (sharing_role in ('controller', 'joint-controller', 'processor')),
      add column ico_number text,
      add column dspt_status text
        check (dspt_status in ('exceeded', 'met', 'approaching', 'not-met', 'not-published')),
      add column dspt_until date,
      add column agreement text,
      add column agreement_from date,
      add column agreement_until date,
      -- The end that operators were last warned of: a new end is warned of again.
      add column dspt_warned_of date,
      add column agreement_warned_of date`.execute(db);

  // The copy of its open referrals that an organisation has each night, while it has chosen to.
  await sql`
    create table offline_copies (
      organisation_id uuid primary key references organisations on delete cascade,
      -- Sealed with the site key. The copy is encrypted with it.
      passphrase bytea not null,
      -- Where the copy is sent as well.
      email text,
      chosen_at timestamptz not null,
      chosen_by_name text not null,
      file bytea,
      made_at timestamptz,
      referrals integer,
      check ((file is null) = (made_at is null) and (file is null) = (referrals is null))
    )`.execute(db);
}

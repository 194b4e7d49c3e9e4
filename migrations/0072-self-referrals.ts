import { type Kysely, sql } from 'kysely';

/** What people send who refer themselves, who answers it, and which services allow it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table service_referral_settings
      add column self_referral boolean not null default false`.execute(db);
  await sql`
    create table self_referral_desk (
      only_row boolean primary key default true check (only_row),
      -- Whether an operator opened it. It is closed all the same while nobody answers.
      is_open boolean not null,
      owner_id uuid not null references accounts,
      deputy_id uuid not null references accounts,
      -- The days of the week on which the owner works; 0 is Monday.
      weekdays smallint[] not null,
      -- When the owner, the deputy and operators were told that it closed by itself; null while it is open.
      told_closed_at timestamptz,
      check (owner_id <> deputy_id),
      check (cardinality(weekdays) > 0)
    )`.execute(db);
  await sql`
    create table self_referrals (
      -- Made with the form, so that a form that is sent twice makes one.
      id uuid primary key,
      service_id text not null,
      received_at timestamptz not null,
      answer_by date not null,
      -- Who the person is, how to reach them, and what they wrote.
      said jsonb not null,
      mentions_crisis boolean not null,
      state text not null check (state in ('waiting', 'taken', 'drafted', 'closed')),
      taken_by_id uuid references accounts,
      -- The first call; until then the person waits.
      called_at timestamptz,
      calls jsonb not null default '[]',
      settled_at timestamptz,
      close_reason text,
      close_note text,
      -- The draft that was made of it, which may have been sent since.
      referral_id uuid references referrals on delete cascade,
      told_late_at timestamptz
    )`.execute(db);
  await sql`create index self_referrals_open on self_referrals (received_at) where settled_at is null`.execute(
    db,
  );
  await sql`create index self_referrals_settled on self_referrals (settled_at) where settled_at is not null`.execute(
    db,
  );
  await sql`create index self_referrals_by_referral on self_referrals (referral_id) where referral_id is not null`.execute(
    db,
  );
}

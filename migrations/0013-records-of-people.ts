import { type Kysely, sql } from 'kysely';

/** Legal holds, how long each kind of record is kept, and who decides what is erased. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await legalHolds(db);
  await retention(db);
}

async function legalHolds(db: Kysely<unknown>): Promise<void> {
  // The constraint is the last guard: no path can erase what is held.
  await sql`
    alter table referrals add column held_at timestamptz,
      add constraint referrals_held_not_erased check (held_at is null or erased_at is null)`.execute(db);
  await sql`
    create table referral_holds (
      id uuid primary key,
      referral_id uuid not null references referrals on delete cascade,
      at timestamptz not null,
      account_id uuid not null references accounts,
      account_name text not null,
      reason text not null,
      lifted_at timestamptz,
      lifted_by uuid references accounts,
      lifted_by_name text,
      lifted_reason text
    )`.execute(db);
  await sql`
    create unique index referral_holds_now on referral_holds (referral_id) where lifted_at is null`.execute(
    db,
  );
  await sql`create index referral_holds_of on referral_holds (referral_id, id)`.execute(db);
}

async function retention(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table service_referral_settings
      add column record_kind text not null default 'general' check (record_kind in ('general', 'mental_health')),
      add column retention_years integer check (retention_years between 1 and 100)`.execute(db);
  // What a named person decided about a record that was due for erasure.
  await sql`
    create table retention_decisions (
      referral_id uuid primary key references referrals on delete cascade,
      decision text not null check (decision in ('erase', 'keep')),
      keep_until timestamptz,
      at timestamptz not null,
      account_id uuid not null references accounts,
      account_name text not null,
      reason text not null,
      constraint retention_decisions_until check ((decision = 'keep') = (keep_until is not null))
    )`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** A person who is said to have died: nothing more is sent about them until somebody has confirmed it, or taken it back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table referrals add column death_reported_at timestamptz`.execute(db);
  await sql`
    create table referral_deaths (
      id uuid primary key,
      -- The same for all referrals of the person that were open when it was told.
      report_id uuid not null,
      referral_id uuid not null references referrals on delete cascade,
      reported_at timestamptz not null,
      told_by text not null,
      date date,
      -- What it was before somebody confirmed the death for this referral.
      status_before text,
      next_date_before date,
      expected_date_before date,
      confirmed_at timestamptz,
      confirmed_by_name text,
      undone_at timestamptz
    )`.execute(db);
  await sql`create index referral_deaths_of on referral_deaths (referral_id, id)`.execute(db);
  await sql`create index referral_deaths_report on referral_deaths (report_id)`.execute(db);
}

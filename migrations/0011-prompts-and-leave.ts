import { type Kysely, sql } from 'kysely';

/**
 * Nobody is forgotten when a colleague leaves or a service closes: prompts for open referrals, closed practices, and
 * leave with a stand-in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table referral_prompts (
      id uuid primary key,
      referral_id uuid not null references referrals on delete cascade,
      -- What the referral relied on and has lost.
      kind text not null check (kind in
        ('service-closed', 'service-moved', 'practice-closed', 'referrer-left', 'staff-left')),
      -- The side that looks after it.
      side text not null check (side in ('provider', 'referrer')),
      -- The person who looks after it; null for the operators.
      owner_id uuid references accounts,
      made_at timestamptz not null,
      -- When its owner was last told by email.
      told_at timestamptz not null,
      dismissed_at timestamptz,
      dismissed_by_name text,
      unique (referral_id, kind)
    )`.execute(db);
  await sql`create index referral_prompts_open on referral_prompts (owner_id) where dismissed_at is null`.execute(
    db,
  );
  // The day on which the practice closed, from the register or from an operator.
  await sql`alter table practices add column closed_on date`.execute(db);
  await sql`create index practices_closed on practices (ods_code) where closed_on is not null`.execute(db);
  // The present or next leave of somebody. Other people see who stands in, and never why.
  await sql`
    create table account_leaves (
      account_id uuid primary key references accounts on delete cascade,
      first_day date not null,
      last_day date not null check (last_day >= first_day),
      stand_in_id uuid references accounts,
      set_by_name text not null,
      set_at timestamptz not null
    )`.execute(db);
  // A practice that was named by mistake gets a letter that asks it to remove the earlier one.
  await sql`
    alter table deliveries drop constraint deliveries_purpose_check,
      add constraint deliveries_purpose_check check (purpose in ('referral', 'outcome', 'removal'))`.execute(
    db,
  );
}

import { type Kysely, sql } from 'kysely';

/** What one side keeps to itself about a referral: who looks after it, private notes, and reminders. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Who looks after a referral on each side.
  await sql`
    create table referral_owners (
      referral_id uuid not null references referrals on delete cascade,
      side text not null check (side in ('provider', 'referrer')),
      account_id uuid not null references accounts on delete cascade,
      primary key (referral_id, side)
    )`.execute(db);
  await sql`create index referral_owners_account on referral_owners (account_id)`.execute(db);
  // Every change of that. Only the organisation of the one who made it sees it.
  await sql`
    create table referral_assignments (
      id uuid primary key,
      referral_id uuid not null references referrals on delete cascade,
      organisation_id uuid references organisations,
      at timestamptz not null,
      by_id uuid not null,
      by_name text not null,
      -- Null where nobody looks after it any more.
      owner_name text
    )`.execute(db);
  await sql`create index referral_assignments_of on referral_assignments (referral_id, id)`.execute(db);
  await sql`
    create table referral_notes (
      id uuid primary key,
      referral_id uuid not null references referrals on delete cascade,
      -- Who may read it; null for an author without an organisation, who alone may.
      organisation_id uuid references organisations,
      at timestamptz not null,
      author_id uuid not null,
      author_name text not null,
      author_organisation text,
      text text not null
    )`.execute(db);
  await sql`create index referral_notes_of on referral_notes (referral_id, id)`.execute(db);
  await sql`
    create table referral_reminders (
      referral_id uuid not null references referrals on delete cascade,
      account_id uuid not null references accounts on delete cascade,
      remind_on date not null,
      told_at timestamptz,
      primary key (referral_id, account_id)
    )`.execute(db);
  await sql`create index referral_reminders_account on referral_reminders (account_id, remind_on)`.execute(
    db,
  );
  await sql`create index referral_reminders_due on referral_reminders (remind_on) where told_at is null`.execute(
    db,
  );
}

import { type Kysely, sql } from 'kysely';

/** Who was looked for, by whom, and what of it the Caldicott guardian should look into. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table looks (
      id uuid primary key,
      at timestamptz not null,
      -- In UK time.
      day date not null,
      account_id uuid not null references accounts on delete cascade,
      kind text not null check (kind in ('search', 'opening')),
      -- Of an opening.
      referral_id uuid references referrals on delete cascade,
      side text check (side in ('referrer', 'provider', 'operator')),
      -- How many referrals a search found.
      found integer not null,
      -- Keyed hashes of the person who was looked for, found or not.
      surname_key bytea,
      postcode_key bytea,
      number_key bytea,
      -- The person has the last name, or the email address, of the account's holder.
      own text check (own in ('name', 'email')),
      -- One row for each reader, referral and day.
      unique (account_id, referral_id, day)
    )`.execute(db);
  await sql`create index looks_day on looks (day)`.execute(db);
  await sql`create index looks_referral on looks (referral_id) where referral_id is not null`.execute(db);
  await sql`
    create table looks_to_check (
      id uuid primary key,
      noticed_at timestamptz not null,
      day date not null,
      account_id uuid not null references accounts on delete cascade,
      reason text not null check (reason in ('own-name', 'own-email', 'many-misses', 'no-action', 'sensitive')),
      count integer not null,
      checked_at timestamptz,
      checked_by uuid references accounts on delete set null,
      checked_by_name text,
      note text,
      unique (account_id, day, reason)
    )`.execute(db);
  await sql`create index looks_to_check_open on looks_to_check (id desc) where checked_at is null`.execute(
    db,
  );
}

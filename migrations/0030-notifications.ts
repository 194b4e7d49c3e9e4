import { type Kysely, sql } from 'kysely';

/** Who is emailed of news about referrals, and how often. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notification_choices (
      account_id uuid not null references accounts on delete cascade,
      kind text not null,
      choice text not null check (choice in ('at-once', 'daily', 'off')),
      primary key (account_id, kind)
    )`.execute(db);
  await sql`
    create table referral_news (
      id uuid primary key,
      referral_id uuid not null references referrals on delete cascade,
      kind text not null,
      side text not null check (side in ('provider', 'referrer', 'operators')),
      -- Who did it, and need not be told.
      actor_id uuid,
      at timestamptz not null
    )`.execute(db);
  await sql`create index referral_news_referral on referral_news (referral_id)`.execute(db);
  await sql`
    create table notification_digests (
      account_id uuid not null references accounts on delete cascade,
      kind text not null,
      referral_id uuid not null references referrals on delete cascade,
      at timestamptz not null,
      primary key (account_id, kind, referral_id)
    )`.execute(db);
  await sql`create index notification_digests_referral on notification_digests (referral_id)`.execute(db);
}

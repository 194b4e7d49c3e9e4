import { type Kysely, sql } from 'kysely';

/** Corrections that nobody of the service has seen, and which version of a referral somebody last looked at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table unseen_news
      drop constraint unseen_news_kind_check,
      add constraint unseen_news_kind_check check (kind in ('referral', 'message', 'change', 'correction')),
      -- When it was new; null for what is from before this version.
      add column at timestamptz`.execute(db);
  await sql`
    alter table referral_readings
      alter column last_message_id drop not null,
      -- Null for somebody who last looked before this version.
      add column last_version integer`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** What the person said after the letter at the end reached no practice. Now a letter follows, a day later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table practice_news (
      referral_id uuid primary key references referrals on delete cascade,
      latest_at timestamptz not null,
      measured_at timestamptz
    )`.execute(db);
  await sql`comment on table practice_news is
    'Ended referrals whose GP practice may get another letter: the person said something on their page, or a measure was added.'`.execute(
    db,
  );
  await sql`comment on column practice_news.latest_at is 'When the latest of it happened. The letter waits a day from then.'`.execute(
    db,
  );
  await sql`comment on column practice_news.measured_at is
    'When a measure was added that changes what the letter says. Null if none was.'`.execute(db);
  await sql`create index practice_news_latest_at on practice_news (latest_at)`.execute(db);
  // What the person says makes no version of the referral.
  await sql`alter table deliveries drop constraint deliveries_referral_id_leg_purpose_referral_version_key`.execute(
    db,
  );
  await sql`create index deliveries_referral on deliveries (referral_id, leg, purpose, referral_version)`.execute(
    db,
  );
  await sql`comment on column deliveries.referral_version is
    'The version of the referral that the message is about. What the person says after the end makes a letter, and no version.'`.execute(
    db,
  );
}

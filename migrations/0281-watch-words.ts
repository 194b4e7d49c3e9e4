import { type Kysely, sql } from 'kysely';

/**
 * Words of a crisis in an outcome, a reason, a note of a contact or a place are watched until somebody of the other side has opened the
 * referral, and the referrer is asked about those with which it ended.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into unseen_news_kinds (kind) values ('words')`.execute(db);
  await sql`alter table referral_dangers add column told_at_end boolean not null default false`.execute(db);
  await sql`
    comment on column referral_dangers.told_at_end is
      'The outcome, or the reason for the end, tells of it: it is asked about even where the referral was completed.'`.execute(
    db,
  );
}

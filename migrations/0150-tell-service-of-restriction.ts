import { type Kysely, sql } from 'kysely';

/** A restriction hides somebody in danger from the service, so the operator first tells a person there and says whom and when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table referral_restrictions add column told_who text, add column told_at timestamptz`.execute(
    db,
  );
  await sql`comment on column referral_restrictions.told_who is
    'Who at the service the operator told of the restriction, if somebody waited there with a risk or an urgent need.'`.execute(
    db,
  );
  await sql`comment on column referral_restrictions.told_at is 'When they were told.'`.execute(db);
}

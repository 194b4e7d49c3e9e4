import { type Kysely, sql } from 'kysely';

/**
 * The referrals that say of a danger: emails mark them, and somebody of the referrer’s side confirms that somebody has acted. Nobody is asked
 * about those from before, which may be long settled. Of their words of a crisis, only a watch that still runs tells.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table referral_dangers (
      referral_id uuid primary key references referrals on delete cascade,
      asked_at timestamptz
    )`.execute(db);
  await sql`
    comment on table referral_dangers is
      'The referrals that were sent and in which somebody is at risk of harm, words of a crisis stand, or contact is not safe.'`.execute(
    db,
  );
  await sql`
    comment on column referral_dangers.asked_at is
      'Since when the referrer is asked to confirm that somebody has acted. Null if it was sent before anybody was asked.'`.execute(
    db,
  );
  await sql`insert into referral_prompt_kinds (kind) values ('risk-to-act-on')`.execute(db);
  await sql`
    insert into referral_dangers (referral_id)
    select id from referrals
    where status not in ('draft', 'entered-in-error') and erased_at is null
      and (content ->> 'risk' = 'yes' or content -> 'contact' ->> 'safe' = 'no' or content ? 'risk_acted_on'
        or id in (select referral_id from unseen_news where kind = 'referral' and risk))`.execute(db);
}

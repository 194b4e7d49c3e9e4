import { type Kysely, sql } from 'kysely';

/**
 * Code used to recognise the reasons that the site writes by their words. Now the row says why the site wrote one, and these rows from before
 * are recognised by the words a last time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table referrals add column end_cause text`.execute(db);
  await sql`
    comment on column referrals.end_cause is
      'Why the site ended the referral and wrote its status_reason: death-reported or no-longer-agreed. Null where somebody wrote the reason.'`.execute(
    db,
  );
  await sql`
    update referrals set end_cause = 'death-reported'
    where status_reason ->> 'code' = 'died' and status_reason ->> 'text' like 'Told by: %'`.execute(db);
  await sql`
    update referrals set end_cause = 'no-longer-agreed'
    where status_reason ->> 'text' in (
      'The person no longer agrees to the referral.',
      'Somebody with parental responsibility said that the person no longer agrees to the referral.',
      'An attorney or deputy said that the person no longer agrees to the referral.',
      'Others decided in the person’s best interests that the referral ends.',
      'It was decided that the referral ends, to keep the person or somebody else safe.',
      'Somebody said that the person no longer agrees to the referral. It is not known who.')`.execute(db);
}

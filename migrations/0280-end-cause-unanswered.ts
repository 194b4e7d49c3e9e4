import { type Kysely, sql } from 'kysely';

/** A referral that the site closed because nobody answered was declined by nobody. The rows from before are recognised by the words. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    comment on column referrals.end_cause is
      'Why the site ended the referral and wrote its status_reason: death-reported, no-longer-agreed or nobody-answered. Null: somebody wrote it.'`.execute(
    db,
  );
  await sql`
    update referrals set end_cause = 'nobody-answered'
    where status = 'rejected' and end_cause is null
      and status_reason ->> 'text' like 'This was automatic: the service had not answered %'`.execute(db);
}

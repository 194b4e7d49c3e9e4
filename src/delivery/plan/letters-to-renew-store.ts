import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { firstTriedAtSql, lastSaidOfHelpSql } from '../model/letter-facts-store.ts';

/** Notes news that a letter about the end would tell. The letter waits a day from then. */
export async function notePracticeNews(
  trx: Trx,
  referralId: string,
  { at, isMeasure }: { at: Date; isMeasure: boolean },
): Promise<void> {
  await sql`
    insert into letters_to_renew as known (referral_id, latest_at, measured_at)
    values (${referralId}, ${at}, ${isMeasure ? at : null})
    on conflict (referral_id) do update set latest_at = excluded.latest_at,
      measured_at = coalesce(excluded.measured_at, known.measured_at)`.execute(trx);
}

/** Up to 200 referrals whose news is from before this time. News of a restricted one, or while a death is reported, waits. */
export async function listPracticeNewsDue(db: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{ referralId: string }>`
    select n.referral_id as "referralId" from letters_to_renew n join referrals r on r.id = n.referral_id
    where n.latest_at <= ${before} and r.restricted_at is null and r.death_reported_at is null
    order by n.latest_at limit 200`.execute(db);
  return rows.map(({ referralId }) => referralId);
}

/** Takes the news of a locked referral off the list. @returns undefined if there is none from before this time. */
export async function takePracticeNews(
  trx: Trx,
  referralId: string,
  before: Date,
): Promise<{ measuredAt: Date | null } | undefined> {
  const { rows } = await sql<{ measuredAt: Date | null }>`
    delete from letters_to_renew where referral_id = ${referralId} and latest_at <= ${before}
    returning measured_at as "measuredAt"`.execute(trx);
  return rows[0];
}

/**
 * The latest letter about the end that this practice has, or will have: when it was first tried (null: not yet), what the person had said by
 * then of whether they got help, and what they say now. Undefined where there is none, or somebody confirmed that the person has died.
 */
export async function findLatestEndLetter(
  trx: Trx,
  referralId: string,
  odsCode: string,
): Promise<{ triedAt: Date | null; toldAnswer: string | null; answer: string | null } | undefined> {
  const answer = sql`said.answer`;
  const ofReferral = sql`letter.referral_id`;
  const { rows } = await sql<{ triedAt: Date | null; toldAnswer: string | null; answer: string | null }>`
    select letter.tried_at as "triedAt",
      ${lastSaidOfHelpSql(answer, ofReferral, sql`letter.tried_at`)} as "toldAnswer",
      ${lastSaidOfHelpSql(answer, ofReferral, sql`'infinity'`)} as answer
    from (
      select l.referral_id, ${firstTriedAtSql(sql`l.id`)} as tried_at
      from practice_letters l
      where l.referral_id = ${referralId} and l.purpose = 'outcome' and l.receiver_code = ${odsCode}
      order by l.referral_version desc, l.id desc limit 1) as letter
    where not exists (
      select from referral_deaths told
      where told.referral_id = ${referralId} and told.confirmed_at is not null and told.undone_at is null)`.execute(
    trx,
  );
  return rows[0];
}

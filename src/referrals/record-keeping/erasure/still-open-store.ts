import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';
import { hasOpenGpActionSql, isGpActionConfirmedSql } from '../../listing/worklist/gp-actions-store.ts';
import { isNotHelpedSql, wantsToStopSql } from '../../model/person-page/person-pages-store.ts';

/** What somebody is still owed although a referral has ended. */
export type OpenItem =
  | 'death-reported'
  | 'risk-to-act-on'
  | 'alarming-answer'
  | 'person-not-helped'
  | 'person-wants-to-stop'
  | 'unread-danger'
  | 'unsent-letter'
  | 'gp-task';

const isDeathReportedSql = sql`(death_reported_at is not null
  or exists (select from watches u where u.referral_id = referrals.id and u.kind = 'death')
  or exists (
    select from referral_prompts p
    where p.referral_id = referrals.id and p.kind in ('death-reported', 'may-have-died') and p.dismissed_at is null))`;

const isRiskToActOnSql = sql`(exists (
    select from referral_dangers d
    where d.referral_id = referrals.id and d.asked_at is not null and (status <> 'completed' or d.told_at_end))
  and not exists (
    select from referral_prompts p
    where p.referral_id = referrals.id and p.kind = 'risk-to-act-on' and p.dismissed_at is not null))`;

const hasWorryingAnswerSql = sql`exists (select from worrying_answers a where a.referral_id = referrals.id)`;

const hasUnreadDangerSql = sql`exists (
  select from watches u where u.referral_id = referrals.id and u.risk and u.kind <> 'death')`;

/** If an operator delivered a message by hand, its worklist row is closed, and its status stays. Without a practice there is nothing to send. */
const hasUnsentLetterSql = sql`exists (
  select from deliveries d left join worklist w on w.delivery_id = d.id
  where d.referral_id = referrals.id
    and (d.status in ('queued', 'sending') or (d.status = 'uncertain' and w.closed_at is null)
      or (w.kind <> 'no-practice' and w.closed_at is null)))`;

const hasGpTaskSql = sql`(${hasOpenGpActionSql} and exists (
  select from jsonb_array_elements(content -> 'gp_actions') as action
  where not action ? 'done_by_hand' and not ${isGpActionConfirmedSql(sql`action`)}))`;

/**
 * What is still open about a row of `referrals`, most dangerous first, as text[] of `OpenItem`. It does not rely on prompts alone, because
 * the job that makes them may not have run yet.
 */
export const openItemsOfSql: RawBuilder<OpenItem[]> = sql`array_remove(array[
  case when ${isDeathReportedSql} then 'death-reported' end,
  case when ${isRiskToActOnSql} then 'risk-to-act-on' end,
  case when ${hasWorryingAnswerSql} then 'alarming-answer' end,
  case when ${isNotHelpedSql} then 'person-not-helped' end,
  case when ${wantsToStopSql} then 'person-wants-to-stop' end,
  case when ${hasUnreadDangerSql} then 'unread-danger' end,
  case when ${hasUnsentLetterSql} then 'unsent-letter' end,
  case when ${hasGpTaskSql} then 'gp-task' end], null)`;

/** What is still open about a referral, most dangerous first. */
export async function findOpenItems(db: Db, referralId: string): Promise<OpenItem[]> {
  const { rows } = await sql<{ open: OpenItem[] }>`
    select ${openItemsOfSql} as open from referrals where id = ${referralId}`.execute(db);
  return rows[0]?.open ?? [];
}

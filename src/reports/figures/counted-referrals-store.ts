import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { ReferralStatus } from '../../referrals/index.ts';
import { type Cohort, isCountedSql, isDeclinedSql, isOverdueSql } from '../facts/cohort-store.ts';
import { isEndedWithoutContactSql, waitedTooLongSql } from '../facts/tally-store.ts';

/** The figures that count referrals somebody can still help, or learn from. */
export type ListedFigure = 'overdue' | 'waited-long' | 'declined' | 'without-contact';

/**
 * The condition of each listed figure, the same as in its count. Only a list by reason can be shorter than its figure: the figure counts
 * the reason of an erased referral until its month is published, and the list does not tell that reason any more.
 */
const conditions = (now: Date): Record<ListedFigure, RawBuilder<unknown>> => ({
  overdue: sql`ended_at is null and ${isOverdueSql(now)}`,
  'waited-long': waitedTooLongSql(now),
  declined: isDeclinedSql,
  'without-contact': isEndedWithoutContactSql,
});

export type CountedReferral = {
  id: string;
  reference: string;
  status: ReferralStatus;
  reason: { code: string } | null;
  sentOn: string;
};

/**
 * The referrals that a figure counts, the oldest first.
 * @param reason only those that were declined for this reason; an erased referral is listed under `unknown`
 */
export async function listCountedReferrals(
  db: Db,
  cohort: Cohort,
  { figure, reason, limit }: { figure: ListedFigure; reason?: string | undefined; limit: number },
): Promise<CountedReferral[]> {
  const { rows } = await sql<CountedReferral>`
    select r.id, r.reference, r.status, r.status_reason as reason, f.sent_on::text as "sentOn"
    from (
      select * from report_facts where ${isCountedSql(cohort)} and ${conditions(cohort.now)[figure]}
        and (${reason ?? null}::text is null or coalesce(case when not erased then end_reason end, 'unknown') = ${reason ?? null})) as f
    join referrals r on r.id = f.referral_id order by f.sent_at, r.id limit ${limit}`.execute(db);
  return rows;
}

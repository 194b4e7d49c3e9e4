import { type RawBuilder, sql } from 'kysely';
import { monthsWithin } from '../model/periods.ts';
import {
  type Cohort,
  isClosedOtherwiseSql,
  isDeclinedSql,
  isOpenSql,
  isUnderWaySql,
  unmetAfter,
} from './cohort-store.ts';

export const countWhereSql = (condition: RawBuilder<unknown>) => sql`count(*) filter (where ${condition})`;
const isEndedSql = sql`ended_at is not null`;
const isFirstSql = sql`journey_id = referral_id`;
const hasJourneyEndedSql = sql`journey_status in ('completed', 'rejected', 'failed', 'cancelled')`;
const areFieldsKnownSql = sql`(not erased or kept_until_published)`;
const isDeclinedForCapacitySql = sql`status = 'rejected' and end_reason = 'no-capacity'`;
/** Support started, or the referral ended without it, too long after sending. */
const hasStartedLateSql = sql`status <> 'rejected' and coalesce(started_at, ended_at) > sent_at + ${sql.lit(unmetAfter)}::interval`;

export const isEndedWithoutContactSql = sql`(accepted_at is not null and ${isEndedSql} and first_contact_at is null)`;

/** Whether the person waited too long for support, or still waits and already too long. This depends on the time of reading. */
export const waitedTooLongSql = (
  now: Date,
) => sql`(${hasStartedLateSql} or (ended_at is null and started_at is null
  and sent_at < ${now}::timestamptz - ${sql.lit(unmetAfter)}::interval))`;

/** The counts that do not depend on the time of reading, so they are made once for each day on which referrals were sent. */
export const dailyCounts = {
  sent: sql`count(*)`,
  completed: countWhereSql(sql`status = 'completed'`),
  paired: countWhereSql(sql`status = 'completed' and changes is not null`),
  due: sql`count(due_at)`,
  inTime: countWhereSql(sql`answered_at <= due_at`),
  accepted: sql`count(accepted_at)`,
  rejected: countWhereSql(isDeclinedSql),
  takenUp: countWhereSql(sql`accepted_at is not null and started_at is not null`),
  journeys: countWhereSql(isFirstSql),
  journeysEnded: countWhereSql(sql`${isFirstSql} and ${hasJourneyEndedSql}`),
  journeysGoalsMet: countWhereSql(sql`${isFirstSql} and journey_goals_met`),
  journeysPersonHelped: countWhereSql(sql`${isFirstSql} and journey_person_helped`),
  declinedFirst: countWhereSql(sql`${isFirstSql} and ${isDeclinedSql}`),
  secondChances: countWhereSql(sql`${isFirstSql} and ${isDeclinedSql} and journey_completed`),
  open: countWhereSql(isOpenSql),
  waiting: countWhereSql(sql`status = 'requested'`),
  underWay: countWhereSql(isUnderWaySql),
  // Closed for another reason than a decline. Stored counts have this name.
  endedUnsuccessfully: countWhereSql(isClosedOtherwiseSql),
  goals: sql`sum(goals)`,
  goalsAchieved: sql`sum(goals_achieved)`,
  goalsPartly: sql`sum(goals_partly)`,
  acceptedEnded: countWhereSql(sql`accepted_at is not null and ${isEndedSql}`),
  endedWithoutContact: countWhereSql(isEndedWithoutContactSql),
  ended: countWhereSql(isEndedSql),
  referredAgain: countWhereSql(sql`${isEndedSql} and referred_again`),
  declinedForCapacity: countWhereSql(isDeclinedForCapacitySql),
  // Stored counts have this name.
  waitedLong: countWhereSql(hasStartedLateSql),
  letters: sql`sum(letters)`,
  lettersIn1Day: sql`sum(letters_in_1_day)`,
  lettersIn5Days: sql`sum(letters_in_5_days)`,
  lettersByHand: sql`sum(letters_by_hand)`,
  // Of an erased referral nobody knows which fields were given, unless that is kept for its month.
  fieldsKnown: countWhereSql(areFieldsKnownSql),
  withoutPerson: countWhereSql(sql`person is null`),
  ofListedPractices: countWhereSql(
    sql`exists (select from practices p where p.ods_code = practice_ods_code and p.list_size is not null and p.closed_on is null)`,
  ),
} as const;

/** What a name of several counts begins with. After a colon come the code of a measure, the hours, a field or a reason. */
export type TallyKind =
  | 'n'
  | 'sum'
  | 'squares'
  | 'low'
  | 'leftLow'
  | 'answered'
  | 'unanswered'
  | 'contacted'
  | 'uncontacted'
  | 'started'
  | 'unstarted'
  | 'fields'
  | 'reasons';

export const kindSql = (kind: TallyKind) => sql.lit(`${kind}:`);

/** Rows of {part, name, count}, of the rows of report_facts that fulfil a condition. `toCounts` (figures/tallied-counts-store.ts) reads them. */
export const talliesSql = (part: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`
  with chosen as (select ${part} as part, report_facts.* from report_facts where ${condition}),
  wide as (
    select part, ${sql.join(Object.entries(dailyCounts).map(([name, count]) => sql`${count} as ${sql.ref(name)}`))}
    from chosen group by part)
  select part, key as name, value::text::float8 as count from wide cross join lateral jsonb_each(to_jsonb(wide) - 'part')
  union all
  select part, kind || minutes / 60, count(*) from chosen cross join lateral (values
      (case when answered_at is null then ${kindSql('unanswered')} else ${kindSql('answered')} end, answer_minutes),
      (case when first_contact_at is null then ${kindSql('uncontacted')} else ${kindSql('contacted')} end, contact_minutes),
      (case when started_at is null then ${kindSql('unstarted')} else ${kindSql('started')} end, start_minutes)) as waited(kind, minutes)
    where minutes is not null group by 1, 2
  union all
  select part, ${kindSql('fields')} || field, count(*) from chosen cross join lateral unnest(fields) as field where ${areFieldsKnownSql} group by 1, 2
  union all
  select part, ${kindSql('reasons')} || coalesce(end_reason, 'unknown'), count(*) from chosen where ${isDeclinedSql} group by 1, 2
  union all
  select part, kind || key, sum(each) from chosen cross join lateral jsonb_each(changes)
    cross join lateral (values (${kindSql('n')}, 1), (${kindSql('sum')}, value::text::float8), (${kindSql('squares')}, value::text::float8 ^ 2)) as sums(kind, each)
    group by 1, 2
  union all
  select part, kind || key, sum(each) from chosen cross join lateral jsonb_each(left_low_band)
    cross join lateral (values (${kindSql('low')}, 1), (${kindSql('leftLow')}, (value::text = 'true')::int)) as sums(kind, each) group by 1, 2`;

/** A count by its name, of a part of a cohort. */
export type TallyRow = { part: string; name: string; count: number };

/** The whole months of a period, and its days outside them. */
export function spansOfSql({ from, to }: Pick<Cohort, 'from' | 'to'>): RawBuilder<unknown> {
  const months = monthsWithin({ from, to });
  const days = sql`select day as first, counts from report_days where day between ${from}::date and ${to}::date`;
  if (!months) return days;
  const inMonths = sql`between ${months.from}::date and ${months.to}::date`;
  return sql`
    select month as first, counts from report_month_counts where month ${inMonths} union all ${days} and not day ${inMonths}`;
}

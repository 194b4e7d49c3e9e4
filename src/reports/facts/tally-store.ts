import { type RawBuilder, sql } from 'kysely';
import { monthsWithin } from '../model/periods.ts';
import {
  type Cohort,
  isClosedOtherwise,
  isDeclined,
  isOpen,
  isUnderWay,
  unmetAfter,
} from './cohort-store.ts';

export const countWhere = (condition: RawBuilder<unknown>) => sql`count(*) filter (where ${condition})`;
const isEnded = sql`ended_at is not null`;
const isFirst = sql`journey_id = referral_id`;
const hasJourneyEnded = sql`journey_status in ('completed', 'rejected', 'failed', 'cancelled')`;
const areFieldsKnown = sql`(not erased or kept_until_published)`;
const isDeclinedForCapacity = sql`status = 'rejected' and end_reason = 'no-capacity'`;
/** Support started, or the referral ended without it, too long after sending. */
const startedLate = sql`status <> 'rejected' and coalesce(started_at, ended_at) > sent_at + ${sql.lit(unmetAfter)}::interval`;

export const isEndedWithoutContact = sql`(accepted_at is not null and ${isEnded} and first_contact_at is null)`;

/** Whether somebody waited too long, or waits too long now: this depends on the time of reading. */
export const startedLateOrWaits = (
  now: Date,
) => sql`(${startedLate} or (ended_at is null and started_at is null
  and sent_at < ${now}::timestamptz - ${sql.lit(unmetAfter)}::interval))`;

/** The counts that do not depend on the time of reading, so they are made once for each day on which referrals were sent. */
export const dailyCounts = {
  sent: sql`count(*)`,
  completed: countWhere(sql`status = 'completed'`),
  paired: countWhere(sql`status = 'completed' and changes is not null`),
  due: sql`count(due_at)`,
  inTime: countWhere(sql`answered_at <= due_at`),
  accepted: sql`count(accepted_at)`,
  rejected: countWhere(isDeclined),
  takenUp: countWhere(sql`accepted_at is not null and started_at is not null`),
  journeys: countWhere(isFirst),
  journeysEnded: countWhere(sql`${isFirst} and ${hasJourneyEnded}`),
  journeysGoalsMet: countWhere(sql`${isFirst} and journey_goals_met`),
  journeysPersonHelped: countWhere(sql`${isFirst} and journey_person_helped`),
  declinedFirst: countWhere(sql`${isFirst} and ${isDeclined}`),
  secondChances: countWhere(sql`${isFirst} and ${isDeclined} and journey_completed`),
  open: countWhere(isOpen),
  waiting: countWhere(sql`status = 'requested'`),
  underWay: countWhere(isUnderWay),
  // Closed for another reason than a decline. Stored counts have this name.
  endedUnsuccessfully: countWhere(isClosedOtherwise),
  goals: sql`sum(goals)`,
  goalsAchieved: sql`sum(goals_achieved)`,
  goalsPartly: sql`sum(goals_partly)`,
  acceptedEnded: countWhere(sql`accepted_at is not null and ${isEnded}`),
  endedWithoutContact: countWhere(isEndedWithoutContact),
  ended: countWhere(isEnded),
  referredAgain: countWhere(sql`${isEnded} and referred_again`),
  declinedForCapacity: countWhere(isDeclinedForCapacity),
  // Stored counts have this name.
  waitedLong: countWhere(startedLate),
  letters: sql`sum(letters)`,
  lettersIn1Day: sql`sum(letters_in_1_day)`,
  lettersIn5Days: sql`sum(letters_in_5_days)`,
  lettersByHand: sql`sum(letters_by_hand)`,
  // Of an erased referral nobody knows which fields were given, unless that is kept for its month.
  fieldsKnown: countWhere(areFieldsKnown),
  withoutPerson: countWhere(sql`person is null`),
  ofListedPractices: countWhere(
    sql`exists (select from practices p where p.ods_code = practice_ods_code and p.list_size is not null and p.closed_on is null)`,
  ),
} as const;

/**
 * Rows of {part, name, count}, of the rows of report_facts that fulfil a condition. `toCounts` (figures/tallied-counts-store.ts) reads these
 * names: after `n:`, `sum:`, `squares:`, `low:` and `leftLow:` comes the code of a measure, after `answered:` and so on the hours.
 */
export const tallies = (part: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`
  with chosen as (select ${part} as part, report_facts.* from report_facts where ${condition}),
  wide as (
    select part, ${sql.join(Object.entries(dailyCounts).map(([name, count]) => sql`${count} as ${sql.ref(name)}`))}
    from chosen group by part)
  select part, key as name, value::text::float8 as count from wide cross join lateral jsonb_each(to_jsonb(wide) - 'part')
  union all
  select part, kind || minutes / 60, count(*) from chosen cross join lateral (values
      (case when answered_at is null then 'unanswered:' else 'answered:' end, answer_minutes),
      (case when first_contact_at is null then 'uncontacted:' else 'contacted:' end, contact_minutes),
      (case when started_at is null then 'unstarted:' else 'started:' end, start_minutes)) as waited(kind, minutes)
    where minutes is not null group by 1, 2
  union all
  select part, 'fields:' || field, count(*) from chosen cross join lateral unnest(fields) as field where ${areFieldsKnown} group by 1, 2
  union all
  select part, 'reasons:' || coalesce(end_reason, 'unknown'), count(*) from chosen where ${isDeclined} group by 1, 2
  union all
  select part, kind || key, sum(each) from chosen cross join lateral jsonb_each(changes)
    cross join lateral (values ('n:', 1), ('sum:', value::text::float8), ('squares:', value::text::float8 ^ 2)) as sums(kind, each)
    group by 1, 2
  union all
  select part, kind || key, sum(each) from chosen cross join lateral jsonb_each(left_low_band)
    cross join lateral (values ('low:', 1), ('leftLow:', (value::text = 'true')::int)) as sums(kind, each) group by 1, 2`;

/** A count by its name, of a part of a cohort. */
export type TallyRow = { part: string; name: string; count: number };

/** The whole months of a period, and its days outside them. */
export function spansOf({ from, to }: Pick<Cohort, 'from' | 'to'>): RawBuilder<unknown> {
  const months = monthsWithin({ from, to });
  const days = sql`select day as first, counts from report_days where day between ${from}::date and ${to}::date`;
  if (!months) return days;
  const inMonths = sql`between ${months.from}::date and ${months.to}::date`;
  return sql`
    select month as first, counts from report_month_counts where month ${inMonths} union all ${days} and not day ${inMonths}`;
}

import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../platform/database/index.ts';
import {
  belongsTo,
  type Cohort,
  isCounted,
  isOverdue,
  isWholeSite,
  openStatuses,
  partOf,
  type singleDimensions,
  unmetAfter,
} from './cohort-store.ts';

const where = (condition: RawBuilder<unknown>) => sql`count(*) filter (where ${condition})`;
const isEnded = sql`ended_at is not null`;
const isFirst = sql`journey_id = referral_id`;
const hasJourneyEnded = sql`journey_status in ('completed', 'rejected', 'failed', 'cancelled')`;
const isDeclinedForCapacity = sql`status = 'rejected' and end_reason = 'no-capacity'`;
const hasWaitedLong = sql`status <> 'rejected' and coalesce(started_at, ended_at) > sent_at + ${sql.lit(unmetAfter)}::interval`;

/** What can be counted once for each day on which referrals were sent: it does not depend on the time of reading. */
const settledCounts = {
  sent: sql`count(*)`,
  completed: where(sql`status = 'completed'`),
  paired: where(sql`status = 'completed' and changes is not null`),
  due: sql`count(due_at)`,
  inTime: where(sql`answered_at <= due_at`),
  accepted: sql`count(accepted_at)`,
  rejected: where(sql`status = 'rejected'`),
  takenUp: where(sql`accepted_at is not null and started_at is not null`),
  journeys: where(isFirst),
  journeysEnded: where(sql`${isFirst} and ${hasJourneyEnded}`),
  journeysGoalsMet: where(sql`${isFirst} and journey_goals_met`),
  journeysPersonHelped: where(sql`${isFirst} and journey_person_helped`),
  declinedFirst: where(sql`${isFirst} and status = 'rejected'`),
  secondChances: where(sql`${isFirst} and status = 'rejected' and journey_completed`),
  open: where(sql`status in ${openStatuses}`),
  waiting: where(sql`status = 'requested'`),
  underWay: where(sql`status in ('accepted', 'in-progress', 'on-hold')`),
  endedUnsuccessfully: where(sql`status in ('failed', 'cancelled')`),
  goals: sql`sum(goals)`,
  goalsAchieved: sql`sum(goals_achieved)`,
  goalsPartly: sql`sum(goals_partly)`,
  acceptedEnded: where(sql`accepted_at is not null and ${isEnded}`),
  endedWithoutContact: where(sql`accepted_at is not null and ${isEnded} and first_contact_at is null`),
  ended: where(isEnded),
  referredAgain: where(sql`${isEnded} and referred_again`),
  declinedForCapacity: where(isDeclinedForCapacity),
  waitedLong: where(hasWaitedLong),
  letters: sql`sum(letters)`,
  lettersIn1Day: sql`sum(letters_in_1_day)`,
  lettersIn5Days: sql`sum(letters_in_5_days)`,
  lettersByHand: sql`sum(letters_by_hand)`,
  notErased: where(sql`not erased`),
  withoutPerson: where(sql`person is null`),
  ofListedPractices: where(
    sql`exists (select from practices p where p.ods_code = practice_ods_code and p.list_size is not null and p.closed_on is null)`,
  ),
} as const;

/** What depends on the time of reading, of the few referrals that it concerns. */
type OpenCounts = {
  notDueYet: number;
  inTimeNotDueYet: number;
  overdue: number;
  oldestOverdue: number | null;
  waitLong: number;
  journeysYoung: number;
  lettersYoungerThan1Day: number;
  lettersYoungerThan5Days: number;
};

type MeasureCounts = { n: number; sum: number; squares: number; low: number; leftLow: number };
export type Counts = Record<keyof typeof settledCounts, number> &
  OpenCounts & {
    reasons: ReadonlyMap<string, number>;
    fields: ReadonlyMap<string, number>;
    measures: ReadonlyMap<string, MeasureCounts>;
  };

/** Rows of {part, name, count}, of the rows of report_facts that fulfil a condition. `sums:` and so on have the code of a measure. */
const tallies = (part: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`
  with chosen as (select ${part} as part, report_facts.* from report_facts where ${condition}),
  wide as (
    select part, ${sql.join(Object.entries(settledCounts).map(([name, count]) => sql`${count} as ${sql.ref(name)}`))}
    from chosen group by part)
  select part, key as name, value::text::float8 as count from wide cross join lateral jsonb_each(to_jsonb(wide) - 'part')
  union all
  select part, 'fields:' || field, count(*) from chosen cross join lateral unnest(fields) as field where not erased group by 1, 2
  union all
  select part, 'reasons:' || coalesce(end_reason, 'unknown'), count(*) from chosen where status = 'rejected' group by 1, 2
  union all
  select part, kind || key, sum(each) from chosen cross join lateral jsonb_each(changes)
    cross join lateral (values ('n:', 1), ('sum:', value::text::float8), ('squares:', value::text::float8 ^ 2)) as sums(kind, each)
    group by 1, 2
  union all
  select part, kind || key, sum(each) from chosen cross join lateral jsonb_each(left_low)
    cross join lateral (values ('low:', 1), ('leftLow:', (value::text = 'true')::int)) as sums(kind, each) group by 1, 2`;

type Tally = { part: string; name: string; count: number };

/** The counts of a cohort. Those of the whole site are added up from its days. */
export async function countAll(db: Db, cohort: Cohort): Promise<Counts> {
  const settled = (isWholeSite(cohort) && (await tallyDays(db, cohort))) || (await tallyFacts(db, cohort));
  const open = await countOpen(db, cohort, sql`'all'`);
  return toCounts(settled, open.get('all'));
}

/** The same for each part of a dimension. Where something is not known, the part is `unknown`. */
export async function countBy(
  db: Db,
  cohort: Cohort,
  dimension: (typeof singleDimensions)[number],
): Promise<Map<string, Counts>> {
  const { rows } = await sql<Tally>`${tallies(partOf(dimension), isCounted(cohort))}`.execute(db);
  const open = await countOpen(db, cohort, partOf(dimension));
  const parts = Map.groupBy(rows, ({ part }) => part);
  return new Map([...parts].map(([part, each]) => [part, toCounts(each, open.get(part))]));
}

async function tallyFacts(db: Db, cohort: Cohort): Promise<Tally[]> {
  const { rows } = await sql<Tally>`${tallies(sql`'all'`, isCounted(cohort))}`.execute(db);
  return rows;
}

/** @returns undefined while a day of the period is being counted again */
async function tallyDays(db: Db, { from, to }: Cohort): Promise<Tally[] | undefined> {
  const { rows } = await sql<Tally>`
    with days as (select counts from report_days where day between ${from}::date and ${to}::date)
    select 'all' as part, key as name, sum(value::text::float8) as count from days cross join lateral jsonb_each(counts) group by 2
    union all select 'all', 'stale', count(*) from days where counts is null`.execute(db);
  return rows.some(({ name, count }) => name === 'stale' && count > 0) ? undefined : rows;
}

async function countOpen(
  db: Db,
  cohort: Cohort,
  part: RawBuilder<unknown>,
): Promise<Map<string, OpenCounts>> {
  const { now } = cohort;
  const counted = isCounted(cohort);
  const youngerThan = (days: number) =>
    sql`d.created_at > ${now}::timestamptz - ${sql.lit(`${days} days`)}::interval`;
  const { rows } = await sql<OpenCounts & { part: string }>`
    with not_due as (
      select ${part} as part, count(*) as not_due_yet, ${where(sql`answered_at <= due_at`)} as in_time
      from report_facts where due_at > ${now} and ${counted} group by 1),
    open as (
      select ${part} as part, ${where(isOverdue(now))} as overdue,
        extract(epoch from ${now} - min(case when status = 'requested' then due_at else (next_date + 1)::timestamp at time zone 'Europe/London' end)
          filter (where ${isOverdue(now)}))::float8 / 86400 as oldest,
        ${where(sql`started_at is null and sent_at < ${now}::timestamptz - ${sql.lit(unmetAfter)}::interval`)} as wait_long
      from report_facts where ended_at is null and ${counted} group by 1),
    young as (
      select ${part} as part, count(*) as journeys from report_facts
      where sent_on >= (${now}::timestamptz - interval '91 days')::date and sent_at > ${now}::timestamptz - interval '90 days'
        and ${isFirst} and ${counted} group by 1),
    unsent as (
      select ${part} as part, ${where(youngerThan(1))} as in_1_day, count(*) as in_5_days
      from deliveries d join report_facts f on f.referral_id = d.referral_id
      where d.leg = 'gp_practice' and d.message_id is not null and d.status <> 'suppressed' and d.sent_at is null
        and d.updated_at > ${now}::timestamptz - interval '5 days' and ${youngerThan(5)} and f.referral_id in (
          select referral_id from report_facts where ${counted})
      group by 1)
    select part, coalesce(not_due_yet, 0)::int as "notDueYet", coalesce(in_time, 0)::int as "inTimeNotDueYet",
      coalesce(overdue, 0)::int as overdue, oldest as "oldestOverdue", coalesce(wait_long, 0)::int as "waitLong",
      coalesce(young.journeys, 0)::int as "journeysYoung", coalesce(in_1_day, 0)::int as "lettersYoungerThan1Day",
      coalesce(in_5_days, 0)::int as "lettersYoungerThan5Days"
    from not_due full join open using (part) full join young using (part) full join unsent using (part)`.execute(
    db,
  );
  return new Map(rows.map(({ part: name, ...counted }) => [name, counted]));
}

const nothingOpen: OpenCounts = {
  notDueYet: 0,
  inTimeNotDueYet: 0,
  overdue: 0,
  oldestOverdue: null,
  waitLong: 0,
  journeysYoung: 0,
  lettersYoungerThan1Day: 0,
  lettersYoungerThan5Days: 0,
};

function toCounts(rows: readonly Pick<Tally, 'name' | 'count'>[], open: OpenCounts = nothingOpen): Counts {
  const all = new Map(rows.map(({ name, count }) => [name, Number(count)]));
  const named = (kind: string) =>
    new Map(
      [...all].flatMap(([name, count]) =>
        name.startsWith(`${kind}:`) ? [[name.slice(kind.length + 1), count] as const] : [],
      ),
    );
  const settled = Object.keys(settledCounts).map((name) => [name, all.get(name) ?? 0]);
  const measures = [...named('n')].map(([code, n]) => {
    const of = (kind: string) => all.get(`${kind}:${code}`) ?? 0;
    return [
      code,
      { n, sum: of('sum'), squares: of('squares'), low: of('low'), leftLow: of('leftLow') },
    ] as const;
  });
  const byCount = ([one, n]: [string, number], [other, m]: [string, number]) =>
    m - n || (one < other ? -1 : 1);
  return {
    ...(Object.fromEntries(settled) as Record<keyof typeof settledCounts, number>),
    ...open,
    reasons: new Map([...named('reasons')].sort(byCount)),
    fields: named('fields'),
    measures: new Map(measures.sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** No referral at all. */
export const noCounts: Counts = toCounts([]);

/** What the counts of days rest on. If it changes, every day is counted again. */
export type Basis = Pick<Cohort, 'simulated' | 'apart'>;

/** @returns whether it was different before */
export async function setBasis(trx: Trx, { simulated, apart }: Basis): Promise<boolean> {
  const { rows } = await sql`
    update report_progress set basis = now_is.basis
    from (
      select md5(${JSON.stringify([simulated, apart.toSorted()])}::text
        || (select coalesce(string_agg(ods_code, ',' order by ods_code), '') from practices where list_size is not null and closed_on is null)) as basis) as now_is
    where report_progress.basis <> now_is.basis returning 1`.execute(trx);
  return rows.length > 0;
}

export async function markAllDaysStale(trx: Trx): Promise<void> {
  await sql`update report_days set counts = null where counts is not null`.execute(trx);
}

/** Some weeks at a time, so that the rows fit into memory. */
const daysAtOnce = 30;

/** Counts stale days again. @returns whether none is left */
export async function fillDays(trx: Trx, basis: Basis): Promise<boolean> {
  const { rows: stale } = await sql<{ day: string }>`
    select day from report_days where counts is null order by day limit ${daysAtOnce}`.execute(trx);
  const days = stale.map(({ day }) => day);
  if (days.length === 0) return true;
  const counted = sql`sent_on = any(${days}::date[]) and ${belongsTo(basis)}`;
  const list = (column: string, condition: RawBuilder<unknown>) =>
    sql`array_agg(${sql.ref(column)}) filter (where ${sql.ref(column)} is not null and ${condition})`;
  await sql`
    with tallied as (${tallies(sql`sent_on`, counted)}),
    counted as (select part, jsonb_object_agg(name, count) as counts from tallied group by part),
    listed as (
      select sent_on as part, ${list('answer_minutes', sql`answered_at is not null`)} as answered,
        ${list('answer_minutes', sql`answered_at is null`)} as ended_unanswered,
        ${list('contact_minutes', sql`first_contact_at is not null`)} as contacted,
        ${list('contact_minutes', sql`first_contact_at is null`)} as ended_uncontacted,
        ${list('start_minutes', sql`started_at is not null`)} as started,
        ${list('start_minutes', sql`started_at is null`)} as ended_unstarted,
        array_agg(distinct person) filter (where person is not null) as people
      from report_facts where ${counted} group by 1)
    update report_days d set counts = coalesce(counted.counts, '{}'), answered = listed.answered,
      ended_unanswered = listed.ended_unanswered, contacted = listed.contacted, ended_uncontacted = listed.ended_uncontacted,
      started = listed.started, ended_unstarted = listed.ended_unstarted, people = listed.people
    from unnest(${days}::date[]) as stale(day) left join counted on counted.part = stale.day left join listed on listed.part = stale.day
    where d.day = stale.day`.execute(trx);
  return days.length < daysAtOnce;
}

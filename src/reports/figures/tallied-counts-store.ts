import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import {
  type Cohort,
  isCountedSql,
  isOverdueSql,
  isWholeSite,
  partOfSql,
  type singleDimensions,
  unmetAfter,
} from '../facts/cohort-store.ts';
import {
  countWhereSql,
  dailyCounts,
  kindSql,
  spansOfSql,
  type TallyKind,
  type TallyRow,
  talliesSql,
} from '../facts/tally-store.ts';
import type { TimePoint } from '../model/statistics.ts';

/** The counts that depend on the time of reading. They concern few referrals. */
type OpenCounts = {
  notDueYet: number;
  inTimeNotDueYet: number;
  overdue: number;
  oldestOverdue: number | null;
  /** Sent too long ago, and support has not started. */
  stillWaitingLong: number;
  lettersYoungerThan1Day: number;
  lettersYoungerThan5Days: number;
};

/** What people wait for: the first answer, the first contact, and, from acceptance on, the start. */
type Wait = 'answer' | 'contact' | 'start';

type MeasureCounts = { n: number; sum: number; squares: number; low: number; leftLow: number };
export type Counts = Record<keyof typeof dailyCounts, number> &
  OpenCounts & {
    reasons: ReadonlyMap<string, number>;
    fields: ReadonlyMap<string, number>;
    measures: ReadonlyMap<string, MeasureCounts>;
    /** Whole hours that people waited: until they got it, until the referral ended without it, or until now. */
    times: Readonly<Record<Wait, readonly TimePoint[]>>;
  };

/** The counts of a cohort. Those of the whole site are added up from its months and days. */
export async function countAll(db: Db, cohort: Cohort): Promise<Counts> {
  const part = sql`'all'`;
  const [daily, open, waiting] = await Promise.all([
    isWholeSite(cohort) ? tallyDays(db, cohort) : tallyFacts(db, cohort, part),
    countOpen(db, cohort, part),
    countWaiting(db, cohort, part),
  ]);
  return toCounts([...(daily ?? (await tallyFacts(db, cohort, part))), ...waiting], open.get('all'));
}

/** The counts of each part of a dimension, by part. Referrals whose part is not known are in `unknown`. */
export async function countBy(
  db: Db,
  cohort: Cohort,
  dimension: (typeof singleDimensions)[number],
): Promise<Map<string, Counts>> {
  const part = partOfSql(dimension);
  const daily = await tallyFacts(db, cohort, part);
  const open = await countOpen(db, cohort, part);
  const rows = [...daily, ...(await countWaiting(db, cohort, part))];
  const parts = Map.groupBy(rows, (row) => row.part);
  return new Map([...parts].map(([name, each]) => [name, toCounts(each, open.get(name))]));
}

async function tallyFacts(db: Db, cohort: Cohort, part: RawBuilder<unknown>): Promise<TallyRow[]> {
  const { rows } = await sql<TallyRow>`${talliesSql(part, isCountedSql(cohort))}`.execute(db);
  return rows;
}

/** @returns undefined while a day of the period is being counted again */
async function tallyDays(db: Db, cohort: Cohort): Promise<TallyRow[] | undefined> {
  const { rows } = await sql<TallyRow>`
    with spans as (${spansOfSql(cohort)})
    select 'all' as part, key as name, sum(value::text::float8) as count from spans cross join lateral jsonb_each(counts) group by 2
    union all select 'all', 'stale', count(*) from spans where counts is null`.execute(db);
  return rows.some(({ name, count }) => name === 'stale' && count > 0) ? undefined : rows;
}

async function countOpen(
  db: Db,
  cohort: Cohort,
  part: RawBuilder<unknown>,
): Promise<Map<string, OpenCounts>> {
  const { now } = cohort;
  const isIncludedSql = isCountedSql(cohort);
  const youngerThan = (days: number) =>
    sql`d.created_at > ${now}::timestamptz - ${sql.lit(`${days} days`)}::interval`;
  const { rows } = await sql<OpenCounts & { part: string }>`
    with not_due as (
      select ${part} as part, count(*) as not_due_yet, ${countWhereSql(sql`answered_at <= due_at`)} as in_time
      from report_facts where due_at > ${now} and ${isIncludedSql} group by 1),
    open as (
      select ${part} as part, ${countWhereSql(isOverdueSql(now))} as overdue,
        extract(epoch from ${now} - min(case when status = 'requested' then due_at else (next_date + 1)::timestamp at time zone 'Europe/London' end)
          filter (where ${isOverdueSql(now)}))::float8 / 86400 as oldest,
        ${countWhereSql(sql`started_at is null and sent_at < ${now}::timestamptz - ${sql.lit(unmetAfter)}::interval`)} as wait_long
      from report_facts where ended_at is null and ${isIncludedSql} group by 1),
    unsent as (
      select counted.part, ${countWhereSql(youngerThan(1))} as in_1_day, count(*) as in_5_days
      from (select referral_id, ${part} as part from report_facts where ${isIncludedSql}) as counted
        join deliveries d using (referral_id)
      where d.leg = 'gp_practice' and d.message_id is not null and d.status <> 'suppressed' and d.sent_at is null
        and d.updated_at > ${now}::timestamptz - interval '5 days' and ${youngerThan(5)}
      group by 1)
    select part, coalesce(not_due_yet, 0)::int as "notDueYet", coalesce(in_time, 0)::int as "inTimeNotDueYet",
      coalesce(overdue, 0)::int as overdue, oldest as "oldestOverdue", coalesce(wait_long, 0)::int as "stillWaitingLong",
      coalesce(in_1_day, 0)::int as "lettersYoungerThan1Day",
      coalesce(in_5_days, 0)::int as "lettersYoungerThan5Days"
    from not_due full join open using (part) full join unsent using (part)`.execute(db);
  return new Map(rows.map(({ part: name, ...counts }) => [name, counts]));
}

/** Counts the people who still wait, by the whole hours that they have waited. */
async function countWaiting(db: Db, cohort: Cohort, part: RawBuilder<unknown>): Promise<TallyRow[]> {
  const { rows } = await sql<TallyRow>`
    select ${part} as part, kind || greatest(0, floor(extract(epoch from ${cohort.now}::timestamptz - since) / 3600))::int as name,
      count(*)::float8 as count
    from report_facts cross join lateral (values
      (${kindSql('unanswered')}, case when answered_at is null then sent_at end),
      (${kindSql('uncontacted')}, case when first_contact_at is null then sent_at end),
      (${kindSql('unstarted')}, case when started_at is null then accepted_at end)) as waits(kind, since)
    where ended_at is null and since is not null and ${isCountedSql(cohort)} group by 1, 2`.execute(db);
  return rows;
}

const noOpenCounts: OpenCounts = {
  notDueYet: 0,
  inTimeNotDueYet: 0,
  overdue: 0,
  oldestOverdue: null,
  stillWaitingLong: 0,
  lettersYoungerThan1Day: 0,
  lettersYoungerThan5Days: 0,
};

function toCounts(
  rows: readonly Pick<TallyRow, 'name' | 'count'>[],
  open: OpenCounts = noOpenCounts,
): Counts {
  const all = new Map<string, number>();
  for (const { name, count } of rows) all.set(name, (all.get(name) ?? 0) + Number(count));
  const countsOfKind = (kind: TallyKind) =>
    new Map(
      [...all].flatMap(([name, count]) =>
        name.startsWith(`${kind}:`) ? [[name.slice(kind.length + 1), count] as const] : [],
      ),
    );
  const daily = Object.keys(dailyCounts).map((name) => [name, all.get(name) ?? 0]);
  const measures = [...countsOfKind('n')].map(([code, n]) => {
    const countOf = (kind: TallyKind) => all.get(`${kind}:${code}`) ?? 0;
    return [
      code,
      {
        n,
        sum: countOf('sum'),
        squares: countOf('squares'),
        low: countOf('low'),
        leftLow: countOf('leftLow'),
      },
    ] as const;
  });
  const byCount = ([one, n]: [string, number], [other, m]: [string, number]) =>
    m - n || (one < other ? -1 : 1);
  return {
    ...(Object.fromEntries(daily) as Record<keyof typeof dailyCounts, number>),
    ...open,
    reasons: new Map([...countsOfKind('reasons')].sort(byCount)),
    fields: countsOfKind('fields'),
    measures: new Map(measures.sort(([one], [other]) => (one < other ? -1 : 1))),
    times: {
      answer: timesOf(countsOfKind('answered'), countsOfKind('unanswered')),
      contact: timesOf(countsOfKind('contacted'), countsOfKind('uncontacted')),
      start: timesOf(countsOfKind('started'), countsOfKind('unstarted')),
    },
  };
}

/**
 * The times that people waited, in hours.
 * @param events how many got what they waited for, by the hour.
 * @param censored how many still wait, or whose referral ended before, by the hour.
 */
function timesOf(events: ReadonlyMap<string, number>, censored: ReadonlyMap<string, number>): TimePoint[] {
  return [...new Set([...events.keys(), ...censored.keys()])].map((hours) => ({
    at: Number(hours),
    events: events.get(hours) ?? 0,
    censored: censored.get(hours) ?? 0,
  }));
}

/** The counts of no referral. */
export const noCounts: Counts = toCounts([]);

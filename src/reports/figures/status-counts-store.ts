import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import {
  type Cohort,
  isClosedOtherwiseSql,
  isCountedSql,
  isDeclinedSql,
  isOverdueSql,
  isUnderWaySql,
  isWholeSite,
} from '../facts/cohort-store.ts';
import { spansOfSql } from '../facts/tally-store.ts';

/** How many referrals were sent, and what their status is now. */
export type StatusCounts = {
  sent: number;
  waiting: number;
  overdue: number;
  underWay: number;
  completed: number;
  rejected: number;
  endedUnsuccessfully: number;
};

const statusCountsSql = (now: Date) => sql`count(*)::int as sent,
  (count(*) filter (where status = 'requested'))::int as waiting,
  (count(*) filter (where ${isOverdueSql(now)}))::int as overdue,
  (count(*) filter (where ${isUnderWaySql}))::int as "underWay",
  (count(*) filter (where status = 'completed'))::int as completed,
  (count(*) filter (where ${isDeclinedSql}))::int as rejected,
  (count(*) filter (where ${isClosedOtherwiseSql}))::int as "endedUnsuccessfully"`;

type CountsOfMonth = StatusCounts & { month: string };

/** Counts referrals by the month in which they were sent, newest first. For the whole site it adds up the counts of days. */
export async function countByMonth(db: Db, cohort: Cohort): Promise<CountsOfMonth[]> {
  const daily = isWholeSite(cohort) ? await addUpDays(db, cohort) : undefined;
  return daily ?? (await countFactsByMonth(db, cohort));
}

async function countFactsByMonth(db: Db, cohort: Cohort): Promise<CountsOfMonth[]> {
  const { rows } = await sql<CountsOfMonth>`
    select date_trunc('month', sent_on)::date::text as month, ${statusCountsSql(cohort.now)}
    from report_facts where ${isCountedSql(cohort)} group by 1 order by 1 desc`.execute(db);
  return rows;
}

/** @returns undefined while a day of the period is being counted again, as in `tallyDays` */
async function addUpDays(db: Db, cohort: Cohort): Promise<CountsOfMonth[] | undefined> {
  const names = ['sent', 'waiting', 'underWay', 'completed', 'rejected', 'endedUnsuccessfully'];
  const sums = names.map(
    (name) => sql`coalesce(sum((counts -> ${sql.lit(name)})::int), 0)::int as ${sql.ref(name)}`,
  );
  const { rows } = await sql<CountsOfMonth & { isStale: boolean }>`
    with overdue as (
      select date_trunc('month', sent_on)::date as month, count(*) as count from report_facts
      where ended_at is null and ${isOverdueSql(cohort.now)} and ${isCountedSql(cohort)} group by 1),
    months as (select date_trunc('month', first)::date as month, bool_or(counts is null) as stale, ${sql.join(sums)}
      from (${spansOfSql(cohort)}) as spans group by 1)
    select month::text, ${sql.join(names.map((name) => sql.ref(name)))}, coalesce(count, 0)::int as overdue, stale as "isStale"
    from months left join overdue using (month) where sent > 0 or stale order by 1 desc`.execute(db);
  if (rows.some(({ isStale }) => isStale)) return undefined;
  return rows.map(({ isStale: _, ...counts }) => counts);
}

/** Counts referrals by service, the service with the most first. */
export async function countByService(
  db: Db,
  cohort: Cohort,
  { max }: { max: number },
): Promise<(StatusCounts & { id: string })[]> {
  const { rows } = await sql<StatusCounts & { id: string }>`
    select service_id as id, ${statusCountsSql(cohort.now)} from report_facts where ${isCountedSql(cohort)}
    group by 1 order by sent desc, 1 limit ${max}`.execute(db);
  return rows;
}

/** The present names of services. */
export async function findServiceNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('services').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { londonDate } from '../model/referral.ts';
import { overdueCondition } from '../model/store.ts';

/** How many referrals were sent, and what their status is now. */
export type Tally = {
  sent: number;
  waiting: number;
  overdue: number;
  underWay: number;
  completed: number;
  rejected: number;
  endedUnsuccessfully: number;
};

const tally = ({ now }: Period) => sql`count(*)::int as sent,
  (count(*) filter (where status = 'requested'))::int as waiting,
  (count(*) filter (where ${overdueCondition({ now, today: londonDate(now) })}))::int as overdue,
  (count(*) filter (where status in ('accepted', 'in-progress', 'on-hold')))::int as "underWay",
  (count(*) filter (where status = 'completed'))::int as completed,
  (count(*) filter (where status = 'rejected'))::int as rejected,
  (count(*) filter (where status in ('failed', 'cancelled')))::int as "endedUnsuccessfully"`;

/** The last `months` calendar months, including the current one. */
export type Period = { now: Date; months: number };

/** Services that no total may include: subtracting the other services would reveal their numbers. */
type WithSensitive = { sensitiveIds: readonly string[] };

const isCountedHere = ({ sensitiveIds }: WithSensitive) =>
  sql`(service_id is null or service_id <> all(${sensitiveIds}::text[]))`;

const month = (moment: ReturnType<typeof sql> | Date) =>
  sql`date_trunc('month', ${moment} at time zone 'Europe/London')`;

/** Without drafts and without referrals that were withdrawn as made in error. */
const sentIn = ({ now, months }: Period) => sql`status <> 'entered-in-error' and
  requested_at >= (${month(now)} - make_interval(months => ${months - 1}::int)) at time zone 'Europe/London'`;

/** By the month in which they were sent (in UK time), newest first. */
export async function tallyByMonth(
  db: Db,
  period: Period & WithSensitive,
): Promise<(Tally & { month: Date })[]> {
  const { rows } = await sql<Tally & { month: Date }>`
    select ${month(sql`requested_at`)} at time zone 'Europe/London' as month, ${tally(period)}
    from referrals where ${sentIn(period)} and ${isCountedHere(period)} group by 1 order by 1 desc`.execute(
    db,
  );
  return rows;
}

/**
 * By service, under its latest name; the services with the most referrals first. Those that must not be named are one row
 * without an id and a name.
 */
export async function tallyByService(
  db: Db,
  period: Period & WithSensitive,
  { max }: { max: number },
): Promise<(Tally & { id: string | null; name: string | null })[]> {
  const isNamed = isCountedHere(period);
  const { rows } = await sql<Tally & { id: string | null; name: string | null }>`
    select case when ${isNamed} then service_id end as id,
      (array_agg(service_name order by requested_at desc) filter (where ${isNamed}))[1] as name, ${tally(period)}
    from referrals where ${sentIn(period)} group by 1 order by sent desc, 1 limit ${max}`.execute(db);
  return rows;
}

/** What was not asked of referrals in a period: each question that a client may leave out, of how many referrals. */
export type NotAsked = { risk: number; contact: number; agreement: number; gpActions: number; sent: number };

/** Of risk and contact, a missing answer counts as not asked, too. Erased referrals say nothing any more. */
export async function countNotAsked(db: Db, period: Period & WithSensitive): Promise<NotAsked> {
  const { rows } = await sql<NotAsked>`
    select count(*)::int as sent,
      (count(*) filter (where coalesce(content ->> 'risk', 'not_asked') = 'not_asked'))::int as risk,
      (count(*) filter (where coalesce(content -> 'contact' ->> 'safe', 'not_asked') = 'not_asked'))::int as contact,
      (count(*) filter (where 'not_asked' in (content -> 'agreement' ->> 'basis', content -> 'consent' -> 'said_by' ->> 'basis')))::int as agreement,
      (count(*) filter (where not coalesce(content -> 'gp_actions_answered' ? 'referral', content ? 'gp_actions')))::int
        as "gpActions"
    from referrals where ${sentIn(period)} and ${isCountedHere(period)} and erased_at is null`.execute(db);
  return rows[0]!;
}

/** Why services rejected referrals, the commonest reason first. Erased referrals have no reason any more. */
export async function countRejections(
  db: Db,
  period: Period & WithSensitive,
): Promise<{ code: string; count: number }[]> {
  const { rows } = await sql<{ code: string; count: number }>`
    select status_reason ->> 'code' as code, count(*)::int as count from referrals
    where ${sentIn(period)} and ${isCountedHere(period)} and status = 'rejected' and status_reason is not null
    group by 1 order by 2 desc, 1`.execute(db);
  return rows;
}

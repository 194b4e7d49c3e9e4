import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/index.ts';
import type { Timed } from './statistics.ts';

/** Which referrals are counted: those sent on these days, both included. */
export type Cohort = {
  from: string;
  to: string;
  now: Date;
  /** Simulated referrals count on a test site only. */
  simulated: boolean;
  /** Only those to the services of this organisation of the library. */
  organizationId?: string | undefined;
  /** Services that no number may include: subtracting the others would reveal them. */
  apart: readonly string[];
  /** These services alone. */
  only?: readonly string[];
};

/** What referrals are split by. */
export const dimensions = ['service', 'age', 'gender', 'interpreter'] as const;
export type Dimension = (typeof dimensions)[number];

export type Counts = {
  sent: number;
  completed: number;
  paired: number;
  people: number;
  due: number;
  inTime: number;
  accepted: number;
  rejected: number;
  takenUp: number;
  journeys: number;
  journeysEnded: number;
  journeysYoung: number;
  declinedFirst: number;
  secondChances: number;
  open: number;
  overdue: number;
  oldestOverdue: number | null;
  notErased: number;
  riskAsked: number;
  contactAsked: number;
  agreementAsked: number;
  gpActionsAsked: number;
};

const endedStatuses = sql`('completed', 'rejected', 'failed', 'cancelled')`;
const openStatuses = sql`('requested', 'accepted', 'in-progress', 'on-hold')`;
/** As on the worklists: the answer is late, or the next step of an accepted one. */
const isOverdue = (now: Date) => sql`coalesce(case when status = 'requested' then due_at < ${now}
  when status in ${openStatuses} then next_date < (${now}::timestamptz at time zone 'Europe/London')::date end, false)`;
const ninetyDays = sql`interval '90 days'`;

/** The counts that every figure is made from, in one reading. */
const counts = (now: Date): RawBuilder<unknown> => sql`
  count(*)::int as sent,
  (count(*) filter (where status = 'completed'))::int as completed,
  (count(*) filter (where status = 'completed' and changes is not null))::int as paired,
  (count(*) filter (where due_at <= ${now}))::int as due,
  (count(*) filter (where due_at <= ${now} and answered_at <= due_at))::int as "inTime",
  count(accepted_at)::int as accepted,
  (count(*) filter (where status = 'rejected'))::int as rejected,
  (count(*) filter (where accepted_at is not null and started_at is not null))::int as "takenUp",
  (count(*) filter (where journey_id = referral_id))::int as journeys,
  (count(*) filter (where journey_id = referral_id and journey_status in ${endedStatuses}))::int as "journeysEnded",
  (count(*) filter (where journey_id = referral_id and sent_at > ${now}::timestamptz - ${ninetyDays}))::int as "journeysYoung",
  (count(*) filter (where journey_id = referral_id and status = 'rejected'))::int as "declinedFirst",
  (count(*) filter (where journey_id = referral_id and status = 'rejected' and journey_completed))::int as "secondChances",
  (count(*) filter (where status in ${openStatuses}))::int as open,
  (count(*) filter (where ${isOverdue(now)}))::int as overdue,
  extract(epoch from ${now} - min(case when status = 'requested' then due_at else (next_date + 1)::timestamp at time zone 'Europe/London' end)
    filter (where ${isOverdue(now)}))::float8 / 86400 as "oldestOverdue",
  (count(*) filter (where not erased))::int as "notErased",
  (count(*) filter (where not erased and risk_asked))::int as "riskAsked",
  (count(*) filter (where not erased and contact_asked))::int as "contactAsked",
  (count(*) filter (where not erased and agreement_asked))::int as "agreementAsked",
  (count(*) filter (where not erased and gp_actions_asked))::int as "gpActionsAsked"`;

const isCounted = ({ from, to, simulated, organizationId, apart, only }: Cohort) => sql`
  sent_on between ${from}::date and ${to}::date and status <> 'entered-in-error' and (${simulated} or not simulated)
  and service_id <> all(${apart}::text[]) and (${only ?? null}::text[] is null or service_id = any(${only ?? []}::text[]))
  and (${organizationId ?? null}::text is null or service_organization_id = ${organizationId ?? null})`;

export async function countAll(db: Db, cohort: Cohort): Promise<Counts> {
  const { rows } = await sql<Omit<Counts, 'people'>>`
    select ${counts(cohort.now)} from report_facts where ${isCounted(cohort)}`.execute(db);
  // One whose person is not known any more counts as a person.
  const { rows: people } = await sql<{ people: number }>`
    select (count(*) + coalesce(sum(referrals) filter (where person is null) - 1, 0))::int as people
    from (select person, count(*) as referrals from report_facts where ${isCounted(cohort)} group by person) as each_person`.execute(
    db,
  );
  return { ...rows[0]!, people: people[0]!.people };
}

/** The same for each part of a dimension. Where something is not known, the part is `unknown`. */
export async function countBy(
  db: Db,
  cohort: Cohort,
  dimension: Dimension,
): Promise<Map<string, Omit<Counts, 'people'>>> {
  const { rows } = await sql<Omit<Counts, 'people'> & { part: string }>`
    select ${partOf(dimension)} as part, ${counts(cohort.now)} from report_facts where ${isCounted(cohort)}
    group by 1 order by 1`.execute(db);
  return new Map(rows.map(({ part, ...counted }) => [part, counted]));
}

const partOf = (dimension: Dimension) =>
  sql`coalesce(case ${dimension}::text when 'service' then service_id when 'age' then age_band when 'gender' then gender
    when 'interpreter' then interpreter::text end, 'unknown')`;

/** How long services took to answer, in minutes; and how long those without an answer have waited, until they ended or until now. */
export async function timeToAnswer(
  db: Db,
  cohort: Cohort,
  dimension?: Dimension,
): Promise<Map<string, Timed[]>> {
  const part = dimension ? partOf(dimension) : sql`'all'::text`;
  const { rows } = await sql<Timed & { part: string }>`
    select ${part} as part, greatest(0, floor(extract(epoch from coalesce(answered_at, ended_at, ${cohort.now}) - sent_at) / 60))::int as at,
      count(answered_at)::int as events, (count(*) - count(answered_at))::int as censored
    from report_facts where ${isCounted(cohort)} group by 1, 2`.execute(db);
  return Map.groupBy(rows, (row) => row.part);
}

/** How long accepted people waited for support to start, in minutes. */
export async function timeToStart(db: Db, cohort: Cohort): Promise<Timed[]> {
  const { rows } = await sql<Timed>`
    select greatest(0, floor(extract(epoch from coalesce(started_at, ended_at, ${cohort.now}) - accepted_at) / 60))::int as at,
      count(started_at)::int as events, (count(*) - count(started_at))::int as censored
    from report_facts where ${isCounted(cohort)} and accepted_at is not null group by 1`.execute(db);
  return rows;
}

/** Why services declined. */
export async function countReasons(db: Db, cohort: Cohort): Promise<Map<string, number>> {
  const { rows } = await sql<{ reason: string; count: number }>`
    select coalesce(end_reason, 'unknown') as reason, count(*)::int as count
    from report_facts where ${isCounted(cohort)} and status = 'rejected' group by 1 order by 2 desc, 1`.execute(
    db,
  );
  return new Map(rows.map(({ reason, count }) => [reason, count]));
}

export type Active = { referrers: number; practices: number; services: number };

/** Who referred, from which practices, to which services. */
export async function countActive(db: Db, cohort: Cohort): Promise<Active> {
  const distinct = (column: string) => sql`
    (select count(*) from (select ${sql.ref(column)} from report_facts where ${isCounted(cohort)} and ${sql.ref(column)} is not null
      group by ${sql.ref(column)}) as each_one)::int`;
  const { rows } = await sql<Active>`
    select ${distinct('referrer_account_id')} as referrers, ${distinct('practice_ods_code')} as practices,
      ${distinct('service_id')} as services`.execute(db);
  return rows[0]!;
}

/** How many services could be referred to, and were not. */
export async function countNeverReferred(
  db: Db,
  cohort: Cohort,
): Promise<{ offered: number; never: number }> {
  const { rows } = await sql<{ offered: number; never: number }>`
    select count(*)::int as offered,
      (count(*) filter (where not exists (select from report_facts f where f.service_id = s.service_id and ${isCounted(cohort)})))::int as never
    from service_referral_settings s join services on services.id = s.service_id
    where s.accepts and services.status = 'active' and s.service_id <> all(${cohort.apart}::text[])
      and (${cohort.organizationId ?? null}::text is null or services.organization_id = ${cohort.organizationId ?? null})`.execute(
    db,
  );
  return rows[0]!;
}

export type Change = { code: string; n: number; mean: number; deviation: number | null };

/** By how much each measure changed from start to end. */
export async function measureChanges(db: Db, cohort: Cohort): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select key as code, count(*)::int as n, avg(value::text::float8) as mean, stddev_samp(value::text::float8) as deviation
    from report_facts cross join lateral jsonb_each(changes) where ${isCounted(cohort)} group by 1 order by 1`.execute(
    db,
  );
  return rows;
}

/** The first day of each month with referrals. One step through the index for each, however many referrals there are. */
export async function listMonths(db: Db): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    with recursive months as (
      select date_trunc('month', min(sent_on))::date as month from report_facts
      union all
      select date_trunc('month', (select min(sent_on) from report_facts where sent_on >= month + interval '1 month'))::date
      from months where month is not null)
    select month::text from months where month is not null order by 1`.execute(db);
  return rows.map(({ month }) => month);
}

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

const tally = (now: Date) => sql`count(*)::int as sent,
  (count(*) filter (where status = 'requested'))::int as waiting,
  (count(*) filter (where ${isOverdue(now)}))::int as overdue,
  (count(*) filter (where status in ('accepted', 'in-progress', 'on-hold')))::int as "underWay",
  (count(*) filter (where status = 'completed'))::int as completed,
  (count(*) filter (where status = 'rejected'))::int as rejected,
  (count(*) filter (where status in ('failed', 'cancelled')))::int as "endedUnsuccessfully"`;

/** By the month in which they were sent, newest first. A month is its first day. */
export async function tallyByMonth(db: Db, cohort: Cohort): Promise<(Tally & { month: string })[]> {
  const { rows } = await sql<Tally & { month: string }>`
    select date_trunc('month', sent_on)::date::text as month, ${tally(cohort.now)}
    from report_facts where ${isCounted(cohort)} group by 1 order by 1 desc`.execute(db);
  return rows;
}

/** By service, those with the most referrals first. */
export async function tallyByService(
  db: Db,
  cohort: Cohort,
  { max }: { max: number },
): Promise<(Tally & { id: string })[]> {
  const { rows } = await sql<Tally & { id: string }>`
    select service_id as id, ${tally(cohort.now)} from report_facts where ${isCounted(cohort)}
    group by 1 order by sent desc, 1 limit ${max}`.execute(db);
  return rows;
}

/** What services are called now. */
export async function findServiceNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('services').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import {
  type Cohort,
  isCountedSql,
  isWholeSite,
  type needDimensions,
  unmetAfter,
} from '../facts/cohort-store.ts';

/** Runs a query that sorts or hashes many rows, with enough memory that PostgreSQL need not write them to disk. */
function withMoreWorkMemory<T>(db: Db, read: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('work_mem', '64MB', true)`.execute(trx);
    return read(trx);
  });
}

/** How many people were referred, without referrals whose person is no longer known. */
export async function countPeople(db: Db, cohort: Cohort): Promise<number> {
  const peopleSql = isWholeSite(cohort)
    ? sql`select unnest(people) as person from report_days where day between ${cohort.from}::date and ${cohort.to}::date`
    : sql`select person from report_facts where person is not null and ${isCountedSql(cohort)}`;
  const { rows } = await withMoreWorkMemory(db, (trx) =>
    sql<{ people: number }>`
      select count(*)::int as people from (select distinct person from (${peopleSql}) as each_one) as different`.execute(
      trx,
    ),
  );
  return rows[0]!.people;
}

/** Whether a journey of the cohort is younger than 90 days. The index has only days, so it looks 91 days back, and the time then decides. */
export async function hasYoungJourneys(db: Db, cohort: Cohort): Promise<boolean> {
  const { rows } = await sql<{ young: boolean }>`
    select exists (
      select from report_facts where sent_on >= (${cohort.now}::timestamptz - interval '91 days')::date
        and sent_at > ${cohort.now}::timestamptz - interval '90 days' and journey_id = referral_id and ${isCountedSql(cohort)}) as young`.execute(
    db,
  );
  return rows[0]!.young;
}

export type ActiveCounts = { referrers: number; practices: number; services: number };

/** How many referrers, practices and services the referrals have. The query takes one step through an index for each of them. */
export async function countActive(db: Db, cohort: Cohort): Promise<ActiveCounts> {
  const count = (column: string) => {
    const name = sql.ref(column);
    return sql`(
      with recursive known as (
        (select ${name} as value from report_facts where ${name} is not null order by 1 limit 1)
        union all
        select (select ${name} from report_facts where ${name} > known.value order by 1 limit 1) from known
        where known.value is not null)
      select count(*)::int from known where value is not null and exists (
        select from report_facts where ${name} = known.value and ${isCountedSql(cohort)}))`;
  };
  const { rows } = await sql<ActiveCounts>`
    select ${count('referrer_account_id')} as referrers, ${count('practice_ods_code')} as practices,
      ${count('service_id')} as services`.execute(db);
  return rows[0]!;
}

/** How many services take referrals and got none. */
export async function countNeverReferred(
  db: Db,
  cohort: Cohort,
): Promise<{ offered: number; never: number }> {
  const { rows } = await sql<{ offered: number; never: number }>`
    select count(*)::int as offered,
      (count(*) filter (where not exists (select from report_facts f where f.service_id = s.service_id and ${isCountedSql(cohort)})))::int as never
    from service_referral_settings s join services on services.id = s.service_id
    where s.accepts and services.status = 'active' and s.service_id <> all(${cohort.excludedServices}::text[])
      and (${cohort.organizationId ?? null}::text is null or services.organization_id = ${cohort.organizationId ?? null})`.execute(
    db,
  );
  return rows[0]!;
}

export type Freshness = { services: number; checked: number; offered: number; availabilitySet: number };

/** How many active services were checked in the last 180 days; and of those that take referrals, whose availability was set in the last 30. */
export async function countFresh(
  db: Db,
  { now, organizationId, excludedServices }: Cohort,
): Promise<Freshness> {
  const { rows } = await sql<Freshness>`
    select count(*)::int as services,
      (count(*) filter (where s.assured_on >= (${now}::timestamptz at time zone 'Europe/London')::date - 180))::int as checked,
      (count(*) filter (where r.accepts))::int as offered,
      (count(*) filter (where r.accepts and c.set_at >= ${now}::timestamptz - interval '30 days'))::int as "availabilitySet"
    from services s left join service_referral_settings r on r.service_id = s.id left join service_capacity c on c.service_id = s.id
    where s.status = 'active' and s.id <> all(${excludedServices}::text[])
      and (${organizationId ?? null}::text is null or s.organization_id = ${organizationId ?? null})`.execute(
    db,
  );
  return rows[0]!;
}

/** How many people are registered with the practices whose list sizes are known. */
export async function countRegistered(db: Db): Promise<number> {
  const { rows } = await sql<{ registered: number }>`
    select coalesce(sum(list_size), 0)::float8 as registered from practices where closed_on is null`.execute(
    db,
  );
  return rows[0]!.registered;
}

/** Counts people who were declined because a service was full, or have waited longer than 28 days, by need and by district. */
export async function countUnmetBy(
  db: Db,
  cohort: Cohort,
  dimension: (typeof needDimensions)[number],
): Promise<Map<string, { sent: number; unmet: number }>> {
  const { rows } = await sql<{ part: string; sent: number; unmet: number }>`
    select part, count(*)::int as sent, (count(*) filter (where case when status = 'rejected' then end_reason = 'no-capacity'
        else coalesce(started_at, ended_at, ${cohort.now}) > sent_at + ${sql.lit(unmetAfter)}::interval end))::int as unmet
    from report_facts cross join lateral unnest(${
      dimension === 'need' ? sql`needs` : sql`array_remove(array[district], null)`
    }) as part
    where ${isCountedSql(cohort)} group by 1 order by 1`.execute(db);
  return new Map(rows.map(({ part, ...counts }) => [part, counts]));
}

/** The first day of each month with referrals. The query takes one step through the index for each month, and not for each referral. */
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

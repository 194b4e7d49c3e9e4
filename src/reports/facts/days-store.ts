import { sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';
import { belongsToSql, type Cohort } from './cohort-store.ts';
import { talliesSql } from './tally-store.ts';

/** The settings on which the counts of days depend. If they change, every day is counted again. */
export type Basis = Pick<Cohort, 'includesSimulated' | 'excludedServices'>;

/**
 * Stores a hash of the basis, and of the practices with a list size: reports count referrals for each 1,000 people registered there.
 * @returns whether it has changed.
 */
export async function setBasis(trx: Trx, { includesSimulated, excludedServices }: Basis): Promise<boolean> {
  const { rows } = await sql`
    update report_progress set basis = now_is.basis
    from (
      select md5(${JSON.stringify([includesSimulated, excludedServices.toSorted()])}::text
        || (select coalesce(string_agg(ods_code, ',' order by ods_code), '') from practices where list_size is not null and closed_on is null)) as basis) as now_is
    where report_progress.basis <> now_is.basis returning 1`.execute(trx);
  return rows.length > 0;
}

/** Marks the counts of the days on which these referrals were sent, and of their months, as stale. */
export async function markDaysStale(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    insert into report_days (day)
    select distinct sent_on from report_facts where referral_id = any(${ids}::uuid[]) order by 1
    on conflict (day) do update set counts = null where report_days.counts is not null`.execute(trx);
  await sql`
    insert into report_month_counts (month)
    select distinct date_trunc('month', sent_on)::date from report_facts where referral_id = any(${ids}::uuid[]) order by 1
    on conflict (month) do update set counts = null where report_month_counts.counts is not null`.execute(
    trx,
  );
}

export async function markAllDaysStale(trx: Trx): Promise<void> {
  await sql`update report_days set counts = null where counts is not null`.execute(trx);
  await sql`update report_month_counts set counts = null where counts is not null`.execute(trx);
}

/** Days counted at a time, so that the rows fit into memory. */
const daysAtOnce = 30;

/** Counts stale days again. @returns whether none is left */
export async function fillDays(trx: Trx, basis: Basis): Promise<boolean> {
  const { rows: stale } = await sql<{ day: string }>`
    select day from report_days where counts is null order by day limit ${daysAtOnce}`.execute(trx);
  const days = stale.map(({ day }) => day);
  if (days.length === 0) return true;
  const isIncludedSql = sql`sent_on = any(${days}::date[]) and ${belongsToSql(basis)}`;
  await sql`
    with tallied as (${talliesSql(sql`sent_on`, isIncludedSql)}),
    counted as (select part, jsonb_object_agg(name, count) as counts from tallied group by part),
    listed as (
      select sent_on as part, array_agg(distinct person) filter (where person is not null) as people
      from report_facts where ${isIncludedSql} group by 1)
    update report_days d set counts = coalesce(counted.counts, '{}'), people = listed.people
    from unnest(${days}::date[]) as stale(day) left join counted on counted.part = stale.day left join listed on listed.part = stale.day
    where d.day = stale.day`.execute(trx);
  return days.length < daysAtOnce;
}

/** Adds up the counts of days for each stale month. */
export async function addUpMonths(trx: Trx): Promise<void> {
  await sql`
    with stale as (select month from report_month_counts where counts is null),
    added as (
      select month, key, sum(value::text::float8) as count
      from stale join report_days on day >= month and day < month + interval '1 month' cross join lateral jsonb_each(counts)
      group by 1, 2),
    whole as (select month, jsonb_object_agg(key, count) as counts from added group by 1)
    update report_month_counts m set counts = coalesce(whole.counts, '{}')
    from stale left join whole using (month) where m.month = stale.month`.execute(trx);
}

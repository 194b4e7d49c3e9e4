import { sql } from 'kysely';
import { siteActor } from '../../audit/index.ts';
import type { Responsiveness } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';

/**
 * A figure from fewer referrals could say something about single people, and somebody may be hurt for using a sensitive service.
 */
const minCountSql = sql`(case when is_sensitive then 8 else 5 end)`;
/** A count in the steps of the reports, so that nobody can see one more referral to a sensitive service. */
const inStepsSql = (count: ReturnType<typeof sql>) =>
  sql`(case when is_sensitive then ${count} - ${count} % 8 else ${count} end)::int`;

/**
 * How each service answered the referrals of a period, and how many it got in a shorter one. A referral that the
 * site rejected because nobody answered counts as not accepted, and not as an answer; one that ended because the person died
 * counts as unanswered. Days are rounded to tenths and shares to twentieths, so that one more referral rarely changes the figure.
 */
export async function measureResponsiveness(
  db: Db,
  since: { year: Date; ninetyDays: Date },
): Promise<Responsiveness[]> {
  const ifEnough = (value: ReturnType<typeof sql>, count: ReturnType<typeof sql>) =>
    sql`case when ${count} >= ${minCountSql} then ${value} end`;
  const days = sql`extract(epoch from h.at - r.requested_at)::float8 / 86400`;
  const median = sql`round((percentile_cont(0.5) within group (order by days) filter (where by_people))::numeric, 1)::float8`;
  const share = sql`round((count(*) filter (where accepted))::numeric / nullif(count(accepted), 0) * 20) / 20`;
  const { rows } = await sql<Responsiveness>`
    with sent as (
      select r.service_id, coalesce(s.sensitive, false) as is_sensitive, r.requested_at, ${days} as days, (h.to_status = 'accepted') as accepted,
        h.to_status is not null and (h.actor_id is not null or h.actor_name <> ${siteActor.name}) as by_people,
        case when h.to_status = 'rejected' then h.reason ->> 'code' end as code
      from referrals r left join service_referral_settings s on s.service_id = r.service_id
      left join lateral (
        select at, actor_id, actor_name, to_status, reason from referral_history
        where referral_id = r.id and from_status = 'requested' and to_status in ('accepted', 'rejected')
          -- An end because of a death says nothing about the service. If it was a mistake, the answer after it counts.
          and reason ->> 'code' is distinct from 'died'
        order by version limit 1) h on true
      where r.requested_at >= ${since.year} and r.status <> 'entered-in-error'),
    reasons as (
      select distinct on (service_id) service_id, code from sent where code is not null
      group by service_id, is_sensitive, code having count(*) >= ${minCountSql} order by service_id, count(*) desc, code)
    select sent.service_id as "serviceId",
      ${ifEnough(median, sql`count(*) filter (where by_people)`)} as "medianDays",
      (${ifEnough(share, sql`count(accepted)`)})::float8 as "shareAccepted",
      ${ifEnough(
        inStepsSql(sql`(count(*) filter (where requested_at >= ${since.ninetyDays}))`),
        sql`count(*) filter (where requested_at >= ${since.ninetyDays})`,
      )} as "referrals90Days",
      max(reasons.code) as "rejectionCode"
    from sent left join reasons on reasons.service_id = sent.service_id
    group by sent.service_id, is_sensitive having count(*) >= ${minCountSql}`.execute(db);
  return rows;
}

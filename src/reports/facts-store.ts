import { sql } from 'kysely';
import type { Trx } from '../platform/database/index.ts';

const isSent = (alias: string) =>
  sql`${sql.table(alias)}.requested_at is not null and ${sql.table(alias)}.status <> 'entered-in-error'`;

/** Until when changes were read. Others who read them wait until the transaction ends. */
export async function lockProgress(trx: Trx): Promise<Date> {
  const { read_until } = await trx
    .selectFrom('report_progress')
    .select('read_until')
    .forUpdate()
    .executeTakeFirstOrThrow();
  return read_until;
}

export async function setProgress(trx: Trx, readUntil: Date): Promise<void> {
  await trx.updateTable('report_progress').set({ read_until: readUntil }).execute();
}

/** The referrals that changed since then and were not read as they are now, the earliest change first. */
export async function findChanged(
  trx: Trx,
  since: Date,
  limit: number,
): Promise<{ id: string; updatedAt: Date }[]> {
  const { rows } = await sql<{ id: string; updatedAt: Date }>`
    select r.id, r.updated_at as "updatedAt" from referrals r left join report_facts f on f.referral_id = r.id
    where r.updated_at >= ${since} and r.requested_at is not null
      and f.row_version is distinct from r.xmin::text::bigint
    order by r.updated_at, r.id limit ${limit}`.execute(trx);
  return rows;
}

/** The person's age on a day, in bands of the Census. */
const ageBand = sql`case when age is null then null when age < 18 then '0-17' when age < 25 then '18-24' when age < 35 then '25-34'
  when age < 45 then '35-44' when age < 55 then '45-54' when age < 65 then '55-64' when age < 75 then '65-74'
  when age < 85 then '75-84' else '85+' end`;

/** Writes what reports count about these referrals. What was withdrawn as made in error stays, with its status. */
export async function writeFacts(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    insert into report_facts (referral_id, row_version, status, simulated, sent_at, sent_on, due_at, next_date,
      answered_at, accepted_at, started_at, ended_at, end_reason, service_id, service_organization_id, referrer_account_id,
      practice_ods_code, person, age_band, gender, interpreter, changes, erased,
      risk_asked, contact_asked, agreement_asked, gp_actions_asked, journey_id, journey_status, journey_completed)
    select id, row_version, status, simulated, requested_at, sent_on, due_at, next_date, h.answered_at, h.accepted_at, h.started_at,
      h.ended_at, status_reason ->> 'code', service_id, service_organization_id, referrer_account_id, practice_ods_code,
      ('x' || left(encode(patient_name_key, 'hex'), 16))::bit(64)::bigint, ${ageBand},
      content -> 'patient' ->> 'gender', case when erased_at is null then content -> 'patient' -> 'communication_needs' ? 'interpreter' is true end,
      (select jsonb_object_agg(first ->> 'code', (last ->> 'value')::numeric - (first ->> 'value')::numeric)
        from jsonb_array_elements(outcome -> 'measures') first join jsonb_array_elements(outcome -> 'measures') last
          on last ->> 'code' = first ->> 'code' and first ->> 'stage' = 'start' and last ->> 'stage' = 'end'),
      erased_at is not null,
      coalesce(content ->> 'risk', 'not_asked') <> 'not_asked',
      coalesce(content -> 'contact' ->> 'safe', 'not_asked') <> 'not_asked',
      ('not_asked' in (content -> 'agreement' ->> 'basis', content -> 'consent' -> 'said_by' ->> 'basis')) is not true,
      coalesce(content -> 'gp_actions_answered' ? 'referral', content ? 'gp_actions'),
      id, status, false
    from (
      select r.*, r.xmin::text::bigint as row_version, (r.requested_at at time zone 'Europe/London')::date as sent_on,
        extract(year from age((r.requested_at at time zone 'Europe/London')::date,
          (r.content -> 'patient' ->> 'birth_date')::date))::int as age
      from referrals r where r.id = any(${ids}::uuid[]) and r.requested_at is not null) as sent
    cross join lateral (
      select min(at) filter (where from_status = 'requested' and to_status in ('accepted', 'rejected') and actor_id is not null) as answered_at,
        min(at) filter (where to_status = 'accepted') as accepted_at,
        min(at) filter (where to_status in ('in-progress', 'completed')) as started_at,
        max(at) filter (where to_status in ('rejected', 'completed', 'failed', 'cancelled')) as ended_at
      from referral_history where referral_id = sent.id) as h
    on conflict (referral_id) do update set (row_version, status, simulated, sent_at, sent_on, due_at, next_date,
      answered_at, accepted_at, started_at, ended_at, end_reason, service_id, service_organization_id, referrer_account_id,
      practice_ods_code, person, age_band, gender, interpreter, changes, erased,
      risk_asked, contact_asked, agreement_asked, gp_actions_asked) = (excluded.row_version, excluded.status, excluded.simulated,
      excluded.sent_at, excluded.sent_on, excluded.due_at, excluded.next_date, excluded.answered_at, excluded.accepted_at, excluded.started_at,
      excluded.ended_at, excluded.end_reason, excluded.service_id, excluded.service_organization_id, excluded.referrer_account_id,
      excluded.practice_ods_code, excluded.person, excluded.age_band, excluded.gender, excluded.interpreter, excluded.changes, excluded.erased,
      excluded.risk_asked, excluded.contact_asked, excluded.agreement_asked, excluded.gp_actions_asked)`.execute(
    trx,
  );
}

/**
 * Writes where the journeys of these referrals stand. A journey is a referral and those that replace it, one after the other; it
 * counts where its first referral does, and its last one says how it stands.
 */
export async function writeJourneys(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    with recursive changed as (
      select id from referrals where id = any(${ids}::uuid[])
      union select reroutes from referrals where id = any(${ids}::uuid[]) and reroutes is not null
      union select id from referrals where reroutes = any(${ids}::uuid[])),
    up as (
      select r.id, r.reroutes from referrals r join changed using (id) where ${isSent('r')}
      union select p.id, p.reroutes from up join referrals p on p.id = up.reroutes where ${isSent('p')}),
    down as (
      select up.id as journey_id, up.id, r.status, 1 as step from up join referrals r on r.id = up.id
      where not exists (select from referrals p where p.id = up.reroutes and ${isSent('p')})
      union all
      select down.journey_id, r.id, r.status, step + 1 from down join referrals r on r.reroutes = down.id where ${isSent('r')}),
    journeys as (
      select journey_id, (array_agg(status order by step desc))[1] as status,
        bool_or(status = 'completed' and step > 1) as completed from down group by journey_id)
    update report_facts f set journey_id = down.journey_id, journey_status = journeys.status, journey_completed = journeys.completed
    from down join journeys using (journey_id) where f.referral_id = down.id`.execute(trx);
}

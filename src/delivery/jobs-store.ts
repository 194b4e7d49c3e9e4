import { sql } from 'kysely';
import type { Db, Trx } from '../platform/database/index.ts';
import { addKeyedJob } from '../platform/jobs/index.ts';

/** With what chance adds to six hours, and to spare. */
const longestPause = '8 hours';

/**
 * Adds the job of the next attempt, after a pause: e seconds after the first try, then e times as long each time, up to
 * six hours. A quarter more or less by chance, so that what failed together does not come back together. The key makes
 * it one job, also when the one that adds it is killed before its end and runs again.
 */
export async function addJobAfterPause(trx: Trx, deliveryId: string, tries: number): Promise<void> {
  await sql`
    select from graphile_worker.add_job('deliver', ${JSON.stringify({ delivery_id: deliveryId })}::json,
      run_at => now() + exp(least(${tries}::int, 10)) * (0.75 + random() / 2) * interval '1 second',
      max_attempts => 200, job_key => ${deliveryId})`.execute(trx);
}

/** Adds the job of an attempt now, which speaks to this receiver and no other if one is given; under the same key. */
export async function addJobNow(trx: Trx, deliveryId: string, receiver?: string): Promise<void> {
  const payload = { delivery_id: deliveryId, receiver };
  await addKeyedJob(trx, 'deliver', payload, { key: deliveryId, inSeconds: 0 });
}

/**
 * Deliveries that are not done and have not changed since, although no job that can still run would see to them, sooner than
 * any pause is long. What changed, or is to run, later than that was written down while the database's clock was ahead.
 */
export async function listForsaken(db: Db, unchangedSince: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with seen_to as materialized (
      -- The queue's public view leaves the payload out.
      select j.payload from graphile_worker._private_jobs j
      where j.locked_at is not null
        or (j.attempts < j.max_attempts and j.run_at < now() + ${longestPause}::interval))
    select id from deliveries d
    where status in ('queued', 'sending')
      and (updated_at < ${unchangedSince} or updated_at > ${unchangedSince}::timestamptz + ${longestPause}::interval)
      -- While nobody may work with the referral, it is not sent; afterwards it gets its job here.
      and exists (select from referrals r where r.id = d.referral_id and r.restricted_at is null)
      and id::text not in (
        select payload->>'delivery_id' from seen_to where payload->>'delivery_id' is not null
        union all
        select each from seen_to, json_array_elements_text(payload->'delivery_ids') as each)
    order by id limit 1000`.execute(db);
  return rows.map((row) => row.id);
}

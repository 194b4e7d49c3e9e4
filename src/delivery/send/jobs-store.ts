import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { addKeyedJob, mayHaveJob } from '../../platform/jobs/index.ts';

/** Longer than any pause. */
const maxPause = '8 hours';

/**
 * Adds the job of the next attempt, after a pause: e seconds after the first try, then e times as long each time, up to
 * six hours, each a quarter longer or shorter at random. The key makes it one job, also when the job that adds it is
 * killed before its end and runs again.
 */
export async function addJobAfterPause(trx: Trx, deliveryId: string, attempts: number): Promise<void> {
  const pause = { key: deliveryId, inSeconds: Math.exp(Math.min(attempts, 10)), spread: 0.25 };
  await addKeyedJob(trx, 'deliver', { delivery_id: deliveryId }, pause);
}

/** Adds the job of an attempt now, which speaks to this receiver and no other if one is given; under the same key. */
export async function addJobNow(
  trx: Trx,
  deliveryId: string,
  manner: { receiver?: string; try_now?: boolean | undefined } = {},
): Promise<void> {
  const payload = { delivery_id: deliveryId, ...manner };
  await addKeyedJob(trx, 'deliver', payload, { key: deliveryId, inSeconds: 0 });
}

/**
 * Deliveries that are neither done nor held and have not changed since then, although no job will see to them. A job that
 * begins later than any pause is long does not count, and neither does a later change: the database's clock was ahead
 * when those were written.
 */
export async function listWithoutJob(db: Db, unchangedSince: Date): Promise<string[]> {
  const names = ['deliver', 'deliver-new', 'ask-tracking'];
  const hasJob = mayHaveJob({ names, id: sql`d.id::text`, key: sql`d.id::text`, dueWithin: maxPause });
  const { rows } = await sql<{ id: string }>`
    select id from deliveries d
    where status in ('queued', 'sending') and held_by is null
      and (updated_at < ${unchangedSince} or updated_at > ${unchangedSince}::timestamptz + ${maxPause}::interval)
      -- While nobody may work with the referral, it is not sent; afterwards it gets its job here.
      and exists (select from referrals r where r.id = d.referral_id and r.restricted_at is null)
      and not ${hasJob}
    order by id limit 1000`.execute(db);
  return rows.map((row) => row.id);
}

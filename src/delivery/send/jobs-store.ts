import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { addKeyedJob, mayHaveJobSql } from '../../platform/jobs/index.ts';

/** Longer than any pause between two attempts of a delivery. */
const maxPause = '8 hours';

/**
 * Adds the job of the next attempt after a pause, which varies by a quarter at random. With its key there is only one such
 * job, even if the job that adds it is killed and runs again.
 */
export async function addAttemptJobAfterPause(
  trx: Trx,
  deliveryId: string,
  pauseSeconds: number,
): Promise<void> {
  const pause = { key: deliveryId, inSeconds: pauseSeconds, jitter: 0.25 };
  await addKeyedJob(trx, 'deliver', { delivery_id: deliveryId }, pause);
}

/** Adds the job of an attempt that is made now. It has the same key, so it replaces one that waits. */
export async function addAttemptJob(
  trx: Trx,
  deliveryId: string,
  options: { receiver?: string; try_now?: boolean | undefined } = {},
): Promise<void> {
  const payload = { delivery_id: deliveryId, ...options };
  await addKeyedJob(trx, 'deliver', payload, { key: deliveryId, inSeconds: 0 });
}

/**
 * Deliveries that have waited since `unchangedSince`, are not held, and have no job. A job or change that is dated
 * further ahead than the longest pause was written while the database's clock was fast, and counts as none.
 */
export async function listWithoutJob(db: Db, unchangedSince: Date): Promise<string[]> {
  const names = ['deliver', 'deliver-new', 'ask-tracking'];
  const hasJob = mayHaveJobSql({ names, id: sql`d.id::text`, key: sql`d.id::text`, dueWithin: maxPause });
  const { rows } = await sql<{ id: string }>`
    select id from deliveries d
    where status in ('queued', 'sending') and held_by is null
      and (updated_at < ${unchangedSince} or updated_at > ${unchangedSince}::timestamptz + ${maxPause}::interval)
      -- Nothing is sent while a referral is restricted, or a reported death is neither confirmed nor taken back.
      and exists (
        select from referrals r where r.id = d.referral_id and r.restricted_at is null and r.death_reported_at is null)
      and not ${hasJob}
    order by id limit 1000`.execute(db);
  return rows.map((row) => row.id);
}

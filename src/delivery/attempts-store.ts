import { sql } from 'kysely';
import type { Db } from '../platform/database/index.ts';
import type { DeliveryStatus } from '../referrals/index.ts';
import type { AttemptOutcome } from './delivery.ts';

/**
 * Marks the delivery as being sent, and counts the attempt. An attempt that was under way is then one whose process was
 * killed, and is written down as that.
 * @returns the attempt's number; undefined where the delivery ended meanwhile, for example because the service answered.
 */
export async function startAttempt(
  db: Db,
  id: string,
  channel: string,
  at: Date,
): Promise<number | undefined> {
  const { rows } = await sql<{ number: number }>`
    with before as (
      select status, attempts_started, channel from deliveries
      where id = ${id} and status in ('queued', 'sending') for update),
    interrupted as (
      insert into delivery_attempts (delivery_id, number, at, channel, outcome, detail)
      select ${id}, attempts_started, ${at}, channel, 'interrupted',
        'The site stopped in the middle of this attempt. It is tried again with the same message.'
      from before where status = 'sending' on conflict do nothing)
    update deliveries set status = 'sending', channel = ${channel}, attempts_started = deliveries.attempts_started + 1,
      updated_at = ${at}
    from before where id = ${id} returning deliveries.attempts_started as number`.execute(db);
  return rows[0]?.number;
}

export type AttemptResult = {
  deliveryId: string;
  number: number;
  channel: string;
  outcome: AttemptOutcome;
  detail: string;
  /** The delivery's status from now on. */
  status: DeliveryStatus;
  at: Date;
};

/**
 * Writes down what came of an attempt, and the delivery's new status with it, in one statement. A delivery that ended
 * while the message was on its way keeps the status it ended with.
 */
export async function recordAttempt(db: Db, result: AttemptResult): Promise<void> {
  const { deliveryId, number, at, channel, outcome, detail, status } = result;
  const kept = outcome === 'sent' || outcome === 'received' ? null : detail;
  await sql`
    with attempt as (
      insert into delivery_attempts (delivery_id, number, at, channel, outcome, detail)
      values (${deliveryId}, ${number}, ${at}, ${channel}, ${outcome}, ${detail}) on conflict do nothing)
    update deliveries set status = ${status}, detail = ${kept}, updated_at = ${at}
    where id = ${deliveryId} and status = 'sending'`.execute(db);
}

/** Ends a delivery that no channel can take. */
export async function failDelivery(db: Db, id: string, detail: string, at: Date): Promise<void> {
  await sql`
    update deliveries set status = 'failed', detail = ${detail}, updated_at = ${at}
    where id = ${id} and status in ('queued', 'sending')`.execute(db);
}

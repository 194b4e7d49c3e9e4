import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { AttemptOutcome, RefusalCause } from '../../referrals/index.ts';
import type { HeldBy } from './held-by.ts';

export type StartedAttempt = {
  number: number;
  /** How often this channel has been tried. Each channel has its own count, so that the next one gets all its attempts. */
  channelAttempts: number;
  /** An earlier attempt has an unknown outcome, so the message may have arrived before this one. */
  wasUncertain: boolean;
  /** What held the delivery until now; null when nothing did. */
  heldBefore: HeldBy | null;
};

/**
 * Marks the delivery as being sent, and counts the attempt. If another attempt was under way, its process was probably
 * killed, so that attempt is recorded as interrupted.
 * @param heldBy the hold that the caller checked and may pass
 * @returns undefined when the delivery ended meanwhile, such as by an answer of the service, or something else holds it now, such as an
 * operator who held it
 */
export async function startAttempt(
  db: Db,
  id: string,
  channel: string,
  heldBy: HeldBy | null,
  at: Date,
): Promise<StartedAttempt | undefined> {
  const { rows } = await sql<StartedAttempt>`
    with before as (
      select status, attempts_started, attempts_before_restart, channel, held_by from deliveries
      where id = ${id} and status in ('queued', 'sending', 'uncertain')
        and held_by is not distinct from ${heldBy} for update),
    interrupted as (
      insert into delivery_attempts (delivery_id, number, at, channel, outcome, detail)
      select ${id}, attempts_started, ${at}, channel, 'interrupted',
        'The site stopped in the middle of this attempt. It is tried again with the same message.'
      from before where status = 'sending' on conflict do nothing),
    -- Without the interrupted attempt: what a statement inserts, it does not see.
    earlier as (
      select a.channel, a.outcome from delivery_attempts a, before
      where a.delivery_id = ${id} and a.number > before.attempts_before_restart)
    update deliveries set status = 'sending', channel = ${channel}, attempts_started = deliveries.attempts_started + 1,
      updated_at = ${at}, held_by = null
    from before where id = ${id}
    returning deliveries.attempts_started as number,
      1 + (before.status = 'sending' and before.channel = ${channel})::int
        + (select count(*)::int from earlier where channel = ${channel}) as "channelAttempts",
      exists (select from earlier where outcome = 'uncertain') as "wasUncertain", before.held_by as "heldBefore"`.execute(
    db,
  );
  return rows[0];
}

/** Why nobody can tell whether a message arrived. */
export const interruptedDetail =
  'The site stopped in the middle of this attempt, so nobody can tell whether it arrived.';

/** Records that a process died while it was sending something that is not to be sent any more. It may have arrived. */
export async function endInterrupted(trx: Trx, id: string, at: Date): Promise<void> {
  await sql`
    with interrupted as (
      update deliveries set status = 'uncertain', updated_at = ${at} where id = ${id} and status = 'sending'
      returning id, attempts_started, channel)
    insert into delivery_attempts (delivery_id, number, at, channel, outcome, detail)
    select id, attempts_started, ${at}, channel, 'interrupted',
      ${interruptedDetail}
    from interrupted on conflict do nothing`.execute(trx);
}

/** How an attempt by this site can end. */
export type SendingOutcome = Exclude<AttemptOutcome, 'interrupted' | 'expired'>;

export type StoredAttempt = {
  deliveryId: string;
  number: number;
  channel: string;
  outcome: SendingOutcome;
  detail: string;
  cause?: RefusalCause | undefined;
  externalId: string | null;
  /** When to check for an answer; null if none is expected. */
  followUpAt: Date | null;
  at: Date;
};

/**
 * Records the result of an attempt and the delivery's new status in one statement. A delivery that ended while the
 * message was on its way keeps its status. Success counts from any attempt. Failure counts only from the newest:
 * otherwise an older attempt would end the delivery while its next one is being sent.
 * @returns whether the attempt decided the status.
 */
export async function recordAttempt(
  trx: Trx,
  result: StoredAttempt,
  status: 'queued' | 'sent' | 'received' | 'acknowledged' | 'uncertain',
): Promise<boolean> {
  const { deliveryId, number, at, channel, outcome, detail, cause = null, externalId, followUpAt } = result;
  const hasGoneOut = status !== 'queued' && status !== 'uncertain';
  const decides = hasGoneOut
    ? sql`status in ('queued', 'sending', 'uncertain')`
    : sql`status = 'sending' and attempts_started = ${number}`;
  const { rows } = await sql`
    with attempt as (
      insert into delivery_attempts (delivery_id, number, at, channel, outcome, detail)
      values (${deliveryId}, ${number}, ${at}, ${channel}, ${outcome}, ${detail}) on conflict do nothing)
    update deliveries set status = ${status}, detail = ${hasGoneOut ? null : detail}, updated_at = ${at},
      external_id = coalesce(${externalId}, external_id), follow_up_at = ${followUpAt},
      sent_at = ${hasGoneOut ? at : null}, held_by = null, refusal_cause = coalesce(${cause}, refusal_cause)
    where id = ${deliveryId} and ${decides} returning 1`.execute(trx);
  return rows.length === 1;
}

type FirstAttempt = {
  id: string;
  channel: string;
  status: 'sent' | 'received' | 'acknowledged';
  detail: string;
  followUpAt: Date | null;
};

/** Records that new deliveries, which are locked, were sent at the first attempt. */
export async function recordFirstAttempts(
  trx: Trx,
  attempts: readonly FirstAttempt[],
  at: Date,
): Promise<void> {
  if (attempts.length === 0) return;
  await sql`
    with first as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb)
        as a(id uuid, channel text, status text, detail text, "followUpAt" timestamptz)),
    attempt as (
      insert into delivery_attempts (delivery_id, number, at, channel, outcome, detail)
      select id, 1, ${at}, channel, status, detail from first)
    update deliveries d set status = first.status, channel = first.channel, attempts_started = 1, updated_at = ${at},
      sent_at = ${at}, follow_up_at = first."followUpAt"
    from first where d.id = first.id`.execute(trx);
}

/** Ends a delivery that no channel can send. @returns false if it has ended, or is uncertain: that one may have arrived. */
export async function failDelivery(trx: Trx, id: string, detail: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update deliveries set status = 'failed', detail = ${detail}, held_by = null, updated_at = ${at}
    where id = ${id} and status in ('queued', 'sending') returning 1`.execute(trx);
  return rows.length === 1;
}

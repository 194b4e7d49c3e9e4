import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { DeliveryLeg, DeliveryPurpose, DeliveryStatus } from '../../referrals/index.ts';
import type { DeliveryReport } from '../channels/channel.ts';

export type LockedDelivery = {
  id: string;
  referralId: string;
  leg: DeliveryLeg;
  status: DeliveryStatus;
  /** No attempt has been made since it was queued: its job will make one. */
  isNotAttempted: boolean;
};

const columnsSql = sql`id, referral_id as "referralId", leg, status,
  (status = 'queued' and attempts_started = attempts_before_restart and held_by is null) as "isNotAttempted"`;

/** The delivery that a report by a channel is about, locked. */
export async function lockReportedDelivery(
  trx: Trx,
  channel: string,
  about: DeliveryReport['about'],
): Promise<LockedDelivery | undefined> {
  const named =
    'messageId' in about ? sql`message_id = ${about.messageId}` : sql`external_id = ${about.externalId}`;
  const { rows } = await sql<LockedDelivery>`
    select ${columnsSql} from deliveries
    where ${named} and channel = ${channel} order by id limit 1 for update`.execute(trx);
  return rows[0];
}

export async function lockDelivery(trx: Trx, id: string): Promise<LockedDelivery | undefined> {
  const { rows } = await sql<LockedDelivery>`
    select ${columnsSql} from deliveries where id = ${id} for update`.execute(trx);
  return rows[0];
}

export type ConfirmableDelivery = {
  id: string;
  referralId: string;
  leg: DeliveryLeg;
  status: DeliveryStatus;
  reference: string;
  receiverName: string;
  createdAt: Date;
};

export async function findConfirmable(db: Db, messageId: string): Promise<ConfirmableDelivery | undefined> {
  const { rows } = await sql<ConfirmableDelivery>`
    select d.id, d.referral_id as "referralId", d.leg, d.status, r.reference, d.receiver_name as "receiverName",
      d.created_at as "createdAt"
    from deliveries d join referrals r on r.id = d.referral_id
    where d.message_id = ${messageId} and d.channel is not null`.execute(db);
  return rows[0];
}

type RecordedReport = {
  id: string;
  status: 'queued' | 'received' | 'acknowledged' | 'failed' | 'expired';
  outcome: DeliveryReport['status'];
  detail: string;
  cause?: DeliveryReport['cause'];
  at: Date;
};

/**
 * A report takes the next number in `delivery_attempts`, so that the history of a delivery is one list. The
 * statement also sets the new status.
 */
export async function recordReport(
  trx: Trx,
  { id, status, outcome, detail, cause, at }: RecordedReport,
): Promise<void> {
  const hasArrived = status === 'received' || status === 'acknowledged';
  await sql`
    with changed as (
      update deliveries set status = ${status}, detail = ${hasArrived ? null : detail}, updated_at = ${at},
        attempts_started = attempts_started + 1, held_by = null,
        refusal_cause = case when not ${hasArrived}::boolean then coalesce(${cause ?? null}, refusal_cause) end,
        follow_up_at = case when ${status} = 'received' then follow_up_at end
      where id = ${id} returning attempts_started as number, coalesce(channel, 'none') as channel)
    insert into delivery_attempts (delivery_id, number, at, channel, outcome, detail)
    select ${id}, number, ${at}, channel, ${outcome}, ${detail} from changed`.execute(trx);
}

export type UnansweredDelivery = {
  id: string;
  referralId: string;
  leg: DeliveryLeg;
  purpose: DeliveryPurpose;
  receiverName: string;
  channel: string;
  simulated: boolean;
  messageId: string;
  externalId: string | null;
  status: 'sent' | 'received';
  sentAt: Date;
  /** False when nobody waits for an answer any more: the referral was answered, or is over. */
  isAnswerStillNeeded: boolean;
};

/**
 * Whether nothing has made an answer to the delivery `d` of the referral `r` unnecessary. Whether one is expected at all depends on its
 * channel, too: see `isAnswerDue`.
 */
export const isAnswerStillNeededSql = sql`(d.leg <> 'service' or d.purpose = 'outcome' or r.status = 'requested')`;

/** Deliveries that are followed up: checked at `follow_up_at` for an answer that is awaited. */
const selectFollowedUpSql = sql`
  select d.id, d.referral_id as "referralId", d.leg, d.purpose, d.receiver_name as "receiverName", d.channel,
    d.simulated, d.message_id as "messageId", d.external_id as "externalId", d.status, d.sent_at as "sentAt",
    ${isAnswerStillNeededSql} as "isAnswerStillNeeded"
  from deliveries d join referrals r on r.id = d.referral_id`;

/** Locks deliveries whose receiver should have answered by now, and skips those that another process has locked. */
export async function lockDueUnanswered(trx: Trx, at: Date, limit: number): Promise<UnansweredDelivery[]> {
  const { rows } = await sql<UnansweredDelivery>`
    ${selectFollowedUpSql} where d.follow_up_at <= ${at} and d.status in ('sent', 'received')
    order by d.follow_up_at limit ${limit} for update of d skip locked`.execute(trx);
  return rows;
}

/** Locks a delivery whose receiver has not answered yet; undefined if it was answered meanwhile. */
export async function lockUnanswered(trx: Trx, id: string): Promise<UnansweredDelivery | undefined> {
  const { rows } = await sql<UnansweredDelivery>`
    ${selectFollowedUpSql} where d.id = ${id} and d.status in ('sent', 'received') and d.follow_up_at is not null
    for update of d`.execute(trx);
  return rows[0];
}

/** Stores when to check next; null when no answer is expected any more. */
export async function setNextCheck(trx: Trx, id: string, followUpAt: Date | null): Promise<void> {
  await trx.updateTable('deliveries').set({ follow_up_at: followUpAt }).where('id', '=', id).execute();
}

/** Ends a delivery that was sent and never confirmed. */
export async function expireDelivery(trx: Trx, id: string, reason: string, at: Date): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set({ status: 'expired', detail: reason, updated_at: at, follow_up_at: null })
    .where('id', '=', id)
    .execute();
}

import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { DeliveryLeg, DeliveryPurpose, DeliveryStatus } from '../../referrals/index.ts';

/** The attempts that a backup found in the middle: each is uncertain now. @returns the ids of these deliveries. */
export async function markInterruptedUncertain(trx: Trx, reason: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set status = 'uncertain', detail = ${reason}, updated_at = ${at}
    where status = 'sending' returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** The messages that would be sent now. What waits for another reason waits on, and is held when that reason is gone. */
export async function listReadyToSend(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from deliveries where status in ('queued', 'uncertain') and held_by is null
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

export type HeldForCheck = {
  id: string;
  referralId: string;
  reference: string;
  leg: DeliveryLeg;
  purpose: DeliveryPurpose;
  receiverName: string | null;
  channel: string | null;
  status: DeliveryStatus;
  messageId: string;
  externalId: string | null;
  createdAt: Date;
};

/** Held deliveries, oldest first. */
export async function listHeldForCheck(db: Db, by: string): Promise<HeldForCheck[]> {
  const { rows } = await sql<HeldForCheck>`
    select d.id, r.id as "referralId", r.reference, d.leg, d.purpose, d.recipient_name as "receiverName", d.channel,
      d.status, d.message_id as "messageId", d.external_id as "externalId", d.created_at as "createdAt"
    from deliveries d join referrals r on r.id = d.referral_id
    where d.held_by = ${by} order by d.id`.execute(db);
  return rows;
}

/** Changes by whom these deliveries are held, if they still are by `from`. @returns the ids of those that it changed. */
export async function changeHolder(
  trx: Trx,
  ids: readonly string[],
  change: { from: string; to: string; detail: string; at: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set held_by = ${change.to}, detail = ${change.detail}, updated_at = ${change.at}
    where id = any(${ids}::uuid[]) and held_by = ${change.from} returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/**
 * Releases what the check held. A message that was there before the loss may have been sent meanwhile, so it is uncertain:
 * a carrier that can tell is asked whether it has the message, and only then is it sent again, under the same id.
 * @returns the ids.
 */
export async function releaseAfterCheck(
  trx: Trx,
  ids: readonly string[],
  { by, before, at }: { by: string; before: Date; at: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set held_by = null, updated_at = ${at},
      status = case when created_at <= ${before} then 'uncertain' else status end
    where id = any(${ids}::uuid[]) and held_by = ${by} returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

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

/** The messages that have not gone: `ready` would be sent now; `heldCount` wait for another reason. */
export async function listNotSent(db: Db): Promise<{ ready: string[]; heldCount: number }> {
  const { rows } = await sql<{ id: string; isHeld: boolean }>`
    select id, held_by is not null as "isHeld" from deliveries where status in ('queued', 'uncertain')
    order by id`.execute(db);
  const ready = rows.filter(({ isHeld }) => !isHeld).map(({ id }) => id);
  return { ready, heldCount: rows.length - ready.length };
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
  /** Why it would wait in any case, as its page says; null if only the check holds it. */
  otherReason: string | null;
};

/**
 * The messages that need an answer, oldest first: those that the check holds, and each that was there when the backup was made, whatever
 * else holds it. The site that was lost may have sent it since.
 */
export async function listHeldForCheck(
  db: Db,
  { by, before }: { by: string; before: Date },
): Promise<HeldForCheck[]> {
  const { rows } = await sql<HeldForCheck>`
    select d.id, r.id as "referralId", r.reference, d.leg, d.purpose, d.receiver_name as "receiverName", d.channel,
      d.status, d.message_id as "messageId", d.external_id as "externalId", d.created_at as "createdAt",
      case when d.held_by <> ${by} then d.detail end as "otherReason"
    from deliveries d join referrals r on r.id = d.referral_id
    where d.status in ('queued', 'uncertain') and (d.held_by = ${by} or d.created_at <= ${before})
    order by d.id`.execute(db);
  return rows;
}

/** Holds deliveries that have not gone, whatever held them before. @returns their ids. */
export async function replaceHolds(
  trx: Trx,
  ids: readonly string[],
  change: { to: string; detail: string; at: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set held_by = ${change.to}, detail = ${change.detail}, updated_at = ${change.at}
    where id = any(${ids}::uuid[]) and status in ('queued', 'uncertain') returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/**
 * Ends the check for these. A message that was there before the loss may have been sent meanwhile, so it is uncertain:
 * a carrier that can tell is asked whether it has the message, and only then is it sent again, under the same id.
 * @param by the holds that it ends. What waits for another reason, such as a refused connection, waits on for that.
 * @returns the ids of those that nothing holds now.
 */
export async function releaseAfterCheck(
  trx: Trx,
  ids: readonly string[],
  { by, before, at }: { by: readonly string[]; before: Date; at: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string; heldBy: string | null }>`
    update deliveries set held_by = case when held_by <> all(${by}) then held_by end, updated_at = ${at},
      status = case when created_at <= ${before} then 'uncertain' else status end
    where id = any(${ids}::uuid[]) and status in ('queued', 'uncertain')
    returning id, held_by as "heldBy"`.execute(trx);
  return rows.filter(({ heldBy }) => heldBy === null).map(({ id }) => id);
}

import { sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';

/** Why a delivery needs somebody's action. */
export const worklistKinds = ['failed', 'uncertain', 'expired', 'unanswered', 'no-practice', 'held'] as const;
export type WorklistKind = (typeof worklistKinds)[number];

/** The operator with the fewest open rows. */
const nextOwner = sql`
  select a.id from accounts a where 'operator' = any(a.roles) and a.disabled_at is null
  order by (select count(*) from worklist w where w.owner_id = a.id and w.closed_at is null), a.created_at, a.id
  limit 1`;

/**
 * Puts a delivery on the operators' worklist, in the transaction that makes it necessary. It gets an owner at once, because
 * nobody feels responsible for shared work. An open row keeps its owner and its age.
 */
export async function addToWorklist(
  trx: Trx,
  row: { deliveryId: string; kind: WorklistKind; reason: string; escalated?: boolean; at: Date },
): Promise<void> {
  const { deliveryId, kind, reason, escalated = false, at } = row;
  await sql`
    insert into worklist as w (delivery_id, kind, reason, escalated, opened_at, owner_id)
    values (${deliveryId}, ${kind}, ${reason}, ${escalated}, ${at}, (${nextOwner}))
    on conflict (delivery_id) do update set kind = excluded.kind, reason = excluded.reason,
      escalated = excluded.escalated or (w.escalated and w.closed_at is null),
      opened_at = case when w.closed_at is null then w.opened_at else excluded.opened_at end,
      owner_id = coalesce(w.owner_id, excluded.owner_id), closed_at = null, closed_as = null, closed_by = null,
      closing_words = null`.execute(trx);
}

/** Takes a delivery off the worklist once the message has arrived after all, or is no longer needed. */
export async function resolveWorklistRow(trx: Trx, deliveryId: string, at: Date): Promise<void> {
  await trx
    .updateTable('worklist')
    .set({ closed_at: at, closed_as: 'resolved' })
    .where('delivery_id', '=', deliveryId)
    .where('closed_at', 'is', null)
    .execute();
}

/** The referral was cancelled, so nobody waits for the service's answer any more. */
export async function resolveUnanswered(trx: Trx, referralId: string, at: Date): Promise<void> {
  await sql`
    update worklist w set closed_at = ${at}, closed_as = 'resolved'
    from deliveries d
    where d.referral_id = ${referralId} and d.leg = 'service' and w.delivery_id = d.id and w.kind = 'unanswered'
      and w.closed_at is null`.execute(trx);
}

export type Closing = { as: 'retried' | 'another-way' | 'by-hand'; by: string; words: string | null };

/** An operator has resolved it. @returns whether it was on the list. */
export async function closeWorklistRow(
  trx: Trx,
  deliveryId: string,
  closing: Closing,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('worklist')
    .set({ closed_at: at, closed_as: closing.as, closed_by: closing.by, closing_words: closing.words })
    .where('delivery_id', '=', deliveryId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns false when it is not on the list. */
export async function setOwner(trx: Trx, deliveryId: string, ownerId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('worklist')
    .set({ owner_id: ownerId })
    .where('delivery_id', '=', deliveryId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Starts the delivery again with the same message and a new count of attempts; by this channel, if one is given. */
export async function restartDelivery(trx: Trx, id: string, channel: string | null, at: Date): Promise<void> {
  await sql`
    update deliveries set status = 'queued', detail = null, attempts_before_restart = attempts_started,
      chosen_channel = coalesce(${channel}, chosen_channel), follow_up_at = null, sent_at = null, external_id = null,
      held_by = null, updated_at = ${at}
    where id = ${id}`.execute(trx);
}

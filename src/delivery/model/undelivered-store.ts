import { sql } from 'kysely';
import { isEnabledOperatorSql, operatorWithFewestSql } from '../../accounts/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { addNotifications, isPressingSql, tellsOfDangerSql } from '../../referrals/index.ts';

/** Why a delivery needs somebody's action. */
export const undeliveredKinds = [
  'failed',
  'uncertain',
  'expired',
  'unanswered',
  'no-practice',
  'held',
] as const;
export type UndeliveredKind = (typeof undeliveredKinds)[number];

/** What an operator does first: the referral `r` of a delivery is urgent, or tells of a danger. */
export const isPressingReferralSql = isPressingSql(sql`r.urgency`, tellsOfDangerSql(sql`r.id`));

/** Kinds that are also reported to the referrer. */
const kindsToldToReferrer: readonly UndeliveredKind[] = ['failed', 'uncertain', 'expired'];

const nextOwnerSql = operatorWithFewestSql(sql`worklist`, sql`w.closed_at is null`);

/**
 * Puts a delivery on the operators' worklist, in the transaction that makes it necessary. It gets an owner at once, because
 * nobody feels responsible for shared work, and the owner is emailed. An open row keeps its age, and every row its owner as
 * long as that is an operator.
 */
export async function addUndelivered(
  trx: Trx,
  row: { deliveryId: string; kind: UndeliveredKind; reason: string; escalated?: boolean; at: Date },
): Promise<void> {
  const { deliveryId, kind, reason, escalated = false, at } = row;
  const { rows } = await sql<{ referralId: string; isNew: boolean }>`
    insert into worklist as w (delivery_id, kind, reason, escalated, opened_at, owner_id)
    values (${deliveryId}, ${kind}, ${reason}, ${escalated}, ${at}, ${nextOwnerSql})
    on conflict (delivery_id) do update set kind = excluded.kind, reason = excluded.reason,
      escalated = excluded.escalated or (w.escalated and w.closed_at is null),
      opened_at = case when w.closed_at is null then w.opened_at else excluded.opened_at end,
      owner_id = coalesce((select a.id from accounts a where a.id = w.owner_id and ${isEnabledOperatorSql}), excluded.owner_id),
      closed_at = null, closed_as = null, closed_by = null,
      closing_words = null
    returning w.opened_at = ${at} as "isNew",
      (select d.referral_id from deliveries d where d.id = w.delivery_id) as "referralId"`.execute(trx);
  const { referralId, isNew } = rows[0]!;
  if (!isNew) return;
  const news = { referralId, actorId: null, at };
  await addNotifications(trx, [
    { ...news, kind: 'needs-operator', side: 'operators' },
    ...(kindsToldToReferrer.includes(kind)
      ? [{ ...news, kind: 'undelivered', side: 'referrer' } as const]
      : []),
  ]);
}

/** Gives the open rows that have no operator any more to others: each to the one who has the fewest by then. */
export async function reassignRows(trx: Trx): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select w.delivery_id as id from worklist w
    where w.closed_at is null and not exists (select from accounts a where a.id = w.owner_id and ${isEnabledOperatorSql})
    order by w.opened_at, w.delivery_id for update of w`.execute(trx);
  for (const { id } of rows)
    await sql`update worklist set owner_id = ${nextOwnerSql} where delivery_id = ${id}`.execute(trx);
}

/** Takes a delivery off the worklist once the message has arrived after all, or is no longer needed. */
export async function resolveUndelivered(trx: Trx, deliveryId: string, at: Date): Promise<void> {
  await trx
    .updateTable('worklist')
    .set({ closed_at: at, closed_as: 'resolved' })
    .where('delivery_id', '=', deliveryId)
    .where('closed_at', 'is', null)
    .execute();
}

/** The referral has ended without an answer of the service, so nobody waits for one any more. */
export async function resolveUnanswered(trx: Trx, referralId: string, at: Date): Promise<void> {
  await sql`
    update worklist w set closed_at = ${at}, closed_as = 'resolved'
    from deliveries d
    where d.referral_id = ${referralId} and d.leg = 'service' and w.delivery_id = d.id and w.kind = 'unanswered'
      and w.closed_at is null`.execute(trx);
}

export type Closing = { as: 'retried' | 'another-way' | 'by-hand'; by: string; words: string | null };

/** An operator has resolved it. @returns whether it was on the list. */
export async function closeUndelivered(
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

/** An operator asks the referrer for the GP practice. @returns false when that is not what the message waits for. */
export async function setPracticeAsked(trx: Trx, deliveryId: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('worklist')
    .set({ practice_asked_at: at })
    .where('delivery_id', '=', deliveryId)
    .where('kind', '=', 'no-practice')
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

import { sql } from 'kysely';
import type { Trx } from '../platform/database/index.ts';

/** Why somebody has to see to a delivery. */
type Worry = 'failed' | 'uncertain' | 'expired' | 'unanswered' | 'no-practice';

/** The operator with the least to see to. */
const nextOwner = sql`
  select a.id from accounts a where 'operator' = any(a.roles) and a.disabled_at is null
  order by (select count(*) from worklist w where w.owner_id = a.id and w.closed_at is null), a.created_at, a.id
  limit 1`;

/**
 * Puts a delivery on the operators' worklist, in the transaction that makes it necessary. It gets an owner at once,
 * because what is everybody's is nobody's; one that is there already keeps its own, and how long it has been there.
 */
export async function openRow(
  trx: Trx,
  row: { deliveryId: string; kind: Worry; reason: string; escalated?: boolean; at: Date },
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

/** Takes a delivery off the worklist because it is well again by itself. */
export async function resolveRow(trx: Trx, deliveryId: string, at: Date): Promise<void> {
  await sql`
    update worklist set closed_at = ${at}, closed_as = 'resolved'
    where delivery_id = ${deliveryId} and closed_at is null`.execute(trx);
}

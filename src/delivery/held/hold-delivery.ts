import type { Trx } from '../../platform/database/index.ts';
import { queueDeliveries } from '../model/deliver-jobs.ts';
import type { HeldBy } from '../model/held-by.ts';
import { addUndelivered } from '../model/undelivered-store.ts';
import { clearHolds, clearHoldsBy, resolveHeldRows, setHold } from './held-store.ts';

/**
 * Holds a delivery: it stays `queued` without a job, and is on the operators' worklist until it is released or an operator
 * sends it another way. One that is `uncertain` keeps its status and its row of the worklist.
 */
export async function holdDelivery(
  trx: Trx,
  id: string,
  hold: { by: HeldBy; reason: string; at: Date },
): Promise<void> {
  const status = await setHold(trx, id, hold);
  if (status === 'queued')
    await addUndelivered(trx, { deliveryId: id, kind: 'held', reason: hold.reason, at: hold.at });
}

/** Sends the deliveries that `by` held, and takes them off the worklist. */
export async function releaseHeldBy(trx: Trx, by: HeldBy, at: Date): Promise<void> {
  const ids = await clearHoldsBy(trx, by, at);
  if (ids.length === 0) return;
  await resolveHeldRows(trx, ids, at);
  await queueDeliveries(trx, ids);
}

/** Sends these held deliveries, which are not on the worklist. */
export async function releaseDeliveries(trx: Trx, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await clearHolds(trx, ids, at);
  await queueDeliveries(trx, ids);
}

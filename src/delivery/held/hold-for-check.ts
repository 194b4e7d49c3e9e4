import { lockCheckFirst } from '../../platform/check-first/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { heldByCheckFirst } from '../model/held-by.ts';
import { addToWorklist } from '../model/worklist-store.ts';
import { listReadyToSend, markInterruptedUncertain } from './check-first-store.ts';
import { holdDelivery } from './hold-delivery.ts';

const reason =
  'This site was restored from a backup. The message is sent once an operator has checked what was sent before.';
const interruptedReason =
  'The backup was made in the middle of an attempt, so nobody can tell whether it arrived.';

/** Holds deliveries if the site is in check first. @returns whether it is. */
export async function holdForCheck(trx: Trx, ids: readonly string[], at: Date): Promise<boolean> {
  // The lock lets nobody confirm meanwhile, so that no delivery is held after the others were released.
  if (!(await lockCheckFirst(trx, 'hold'))) return false;
  for (const id of ids) await holdDelivery(trx, id, { by: heldByCheckFirst, reason, at });
  return true;
}

/**
 * Part of a restore: holds everything that waited when the backup was made. Some of it has been sent since.
 * @returns how many messages waited.
 */
export async function holdInFlight(trx: Trx, at: Date): Promise<number> {
  for (const id of await markInterruptedUncertain(trx, interruptedReason, at))
    await addToWorklist(trx, { deliveryId: id, kind: 'uncertain', reason: interruptedReason, at });
  const waiting = await listReadyToSend(trx);
  for (const id of waiting) await holdDelivery(trx, id, { by: heldByCheckFirst, reason, at });
  return waiting.length;
}

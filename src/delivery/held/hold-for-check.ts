import type { Trx } from '../../platform/database/index.ts';
import { lockRestoreCheck } from '../../platform/restore-check/index.ts';
import { untilRestoreChecked } from '../model/held-by.ts';
import { addUndelivered } from '../model/undelivered-store.ts';
import { holdDelivery } from './hold-delivery.ts';
import { listNotSent, markInterruptedUncertain } from './restore-check-store.ts';

const reason =
  'This site was restored from a backup. The message is sent once an operator has checked what was sent before.';
const interruptedReason =
  'The backup was made in the middle of an attempt, so nobody can tell whether it arrived.';

/** Holds deliveries while a restored site is being checked. @returns whether it is. */
export async function holdForCheck(trx: Trx, ids: readonly string[], at: Date): Promise<boolean> {
  // The lock lets nobody confirm meanwhile, so that no delivery is held after the others were released.
  if (!(await lockRestoreCheck(trx, 'hold'))) return false;
  for (const id of ids) await holdDelivery(trx, id, { by: untilRestoreChecked, reason, at });
  return true;
}

/**
 * Part of a restore: holds everything that would be sent now. What waited for another reason when the backup was made keeps
 * that reason; the check asks about it as well, because any of it may have been sent since.
 * @returns how many messages waited.
 */
export async function holdAllUnsent(trx: Trx, at: Date): Promise<number> {
  for (const id of await markInterruptedUncertain(trx, interruptedReason, at))
    await addUndelivered(trx, { deliveryId: id, kind: 'uncertain', reason: interruptedReason, at });
  const { ready, heldCount } = await listNotSent(trx);
  for (const id of ready) await holdDelivery(trx, id, { by: untilRestoreChecked, reason, at });
  return ready.length + heldCount;
}

import type { Trx } from '../platform/database/index.ts';
import type { DeliveryStatus } from '../referrals/index.ts';
import { recordDeliveryEvents } from './record-delivery-event.ts';
import { openRow, resolveRow } from './worklist/store.ts';

type Notable = Exclude<DeliveryStatus, 'queued' | 'sending' | 'suppressed'>;

/**
 * What follows from a delivery's coming to a status, in the transaction that brings it there: others are told, and an
 * operator has to see to it, or no longer.
 */
export async function comeToStatus(
  trx: Trx,
  delivery: { id: string; referralId: string },
  { status, reason, at }: { status: Notable; reason: string; at: Date },
): Promise<void> {
  await recordDeliveryEvents(trx, [{ ...delivery, status }], at);
  if (status === 'failed' || status === 'uncertain' || status === 'expired')
    await openRow(trx, { deliveryId: delivery.id, kind: status, reason, at });
  else await resolveRow(trx, delivery.id, at);
}

import type { Trx } from '../../platform/database/index.ts';
import { recordEvents } from '../../platform/events/index.ts';
import type { DeliveryStatus } from '../../referrals/index.ts';
import { addToWorklist, resolveWorklistRow } from './worklist-store.ts';

type AnnouncedStatus = Exclude<DeliveryStatus, 'queued' | 'sending' | 'suppressed'>;

/**
 * What follows from a delivery's coming to a status, in the transaction that brings it there: others are told, and an
 * operator has to see to it, or no longer.
 */
export async function announceStatus(
  trx: Trx,
  delivery: { id: string; referralId: string },
  { status, reason, at }: { status: AnnouncedStatus; reason: string; at: Date },
): Promise<void> {
  await recordDeliveryEvents(trx, [{ ...delivery, status }], at);
  if (status === 'failed' || status === 'uncertain' || status === 'expired')
    await addToWorklist(trx, { deliveryId: delivery.id, kind: status, reason, at });
  else await resolveWorklistRow(trx, delivery.id, at);
}

type Come = {
  id: string;
  referralId: string;
  status: Exclude<DeliveryStatus, 'queued' | 'sending' | 'suppressed'>;
};

/** Writes down that deliveries have come to a status which others want to know of, in the transaction of the change. */
export function recordDeliveryEvents(trx: Trx, deliveries: readonly Come[], at: Date): Promise<void> {
  const events = deliveries.map(({ id, referralId, status }) => {
    const resource = { type: 'delivery', id, path: `/api/referrals/${referralId}/deliveries` };
    return { type: `delivery.${status}` as const, resource, referralId };
  });
  return recordEvents(trx, events, at);
}

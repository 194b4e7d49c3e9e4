import type { Trx } from '../../platform/database/index.ts';
import { recordEvents } from '../../platform/events/index.ts';
import type { DeliveryStatus } from '../../referrals/index.ts';
import { addUndelivered, resolveUndelivered } from './undelivered-store.ts';

type AnnouncedStatus = Exclude<DeliveryStatus, 'queued' | 'sending' | 'suppressed'>;

/** Records the event of a delivery's new status, in its transaction, and puts it on the worklist or takes it off. */
export async function announceStatus(
  trx: Trx,
  delivery: { id: string; referralId: string },
  { status, reason, at }: { status: AnnouncedStatus; reason: string; at: Date },
): Promise<void> {
  await recordDeliveryEvents(trx, [{ ...delivery, status }], at);
  if (status === 'failed' || status === 'uncertain' || status === 'expired')
    await addUndelivered(trx, { deliveryId: delivery.id, kind: status, reason, at });
  else await resolveUndelivered(trx, delivery.id, at);
}

type ChangedDelivery = { id: string; referralId: string; status: AnnouncedStatus };

/** Records the events of new statuses, in the transaction of the change. */
export function recordDeliveryEvents(
  trx: Trx,
  deliveries: readonly ChangedDelivery[],
  at: Date,
): Promise<void> {
  const events = deliveries.map(({ id, referralId, status }) => {
    const resource = { type: 'delivery', id, path: `/api/referrals/${referralId}/deliveries` };
    return { type: `delivery.${status}` as const, resource, referralId };
  });
  return recordEvents(trx, events, at);
}

import type { Trx } from '../platform/database/index.ts';
import { recordEvents } from '../platform/events/index.ts';
import type { DeliveryStatus } from '../referrals/index.ts';

/** Writes down that a delivery has come to a status which others want to know of, in the transaction of the change. */
export async function recordDeliveryEvent(
  trx: Trx,
  delivery: { id: string; referralId: string },
  status: Exclude<DeliveryStatus, 'queued' | 'sending' | 'suppressed'>,
  at: Date,
): Promise<void> {
  const { id, referralId } = delivery;
  const resource = { type: 'delivery', id, path: `/api/referrals/${referralId}/deliveries` };
  await recordEvents(trx, [{ type: `delivery.${status}`, resource, referralId }], at);
}

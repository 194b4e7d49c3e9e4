import type { Trx } from '../platform/database/index.ts';
import { recordEvents } from '../platform/events/index.ts';
import type { DeliveryStatus } from '../referrals/index.ts';

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

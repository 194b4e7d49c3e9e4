import { type DeliveryAddress, findDeliveryAddress } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Message } from './channel.ts';

/** Where the receiver of a message is reached by a channel, as the service's or the practice's settings say. */
export async function findReceiverAddress(
  db: Db,
  { leg, referral }: Pick<Message, 'leg' | 'referral'>,
  channel: string,
): Promise<DeliveryAddress | undefined> {
  if (leg === 'service') return findDeliveryAddress(db, { serviceId: referral.service_id }, channel);
  const odsCode = referral.gp_practice?.ods_code;
  return odsCode === undefined ? undefined : findDeliveryAddress(db, { odsCode }, channel);
}

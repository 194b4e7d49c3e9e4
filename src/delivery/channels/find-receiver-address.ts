import { type DeliveryAddress, findDeliveryAddress, findServiceForReferral } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { hasMoved } from '../moved-service.ts';
import type { Message } from './channel.ts';

/** Where the receiver of a message is reached by a channel, as the service's or the practice's settings say. */
export async function findReceiverAddress(
  db: Db,
  { leg, referral }: Pick<Message, 'leg' | 'referral'>,
  channel: string,
): Promise<DeliveryAddress | undefined> {
  if (leg === 'service') {
    const { service_id: serviceId } = referral;
    if (hasMoved(await findServiceForReferral(db, serviceId), referral)) return undefined;
    return findDeliveryAddress(db, { serviceId }, channel);
  }
  const odsCode = referral.gp_practice?.ods_code;
  return odsCode === undefined ? undefined : findDeliveryAddress(db, { odsCode }, channel);
}

import type { OutgoingMessage } from '../../src/delivery/channels/channel.ts';
import { findDelivery, listDeliveriesOf } from '../../src/delivery/model/deliveries-store.ts';
import { composeMessage } from '../../src/delivery/send/compose-message.ts';
import type { Database } from '../../src/platform/database/index.ts';
import type { Platform } from '../../src/platform/platform.ts';
import type { Referral } from '../../src/referrals/index.ts';
import type { exampleReferral } from './example-referral.ts';
import { letterDrawer, storeReferral, tellOfChange } from './test-site.ts';

/** The message of a new referral to its service or its practice. */
export async function aMessage(
  { pool }: Pick<Database, 'pool'>,
  deps: Platform,
  leg: OutgoingMessage['leg'],
  given: Parameters<typeof exampleReferral>[0] = {},
): Promise<OutgoingMessage> {
  const referral = await storeReferral(pool, given);
  await tellOfChange(deps, referral, null);
  const { id } = (await listDeliveriesOf(deps.db, referral.id)).find((each) => each.leg === leg)!;
  return messageOf(deps, id, referral);
}

/** The message of a delivery, as it would be sent now. */
export async function messageOf(
  deps: Platform,
  deliveryId: string,
  referral: Referral,
): Promise<OutgoingMessage> {
  const delivery = (await findDelivery(deps.db, deliveryId))!;
  return composeMessage({ ...deps, letterDrawer }, { ...delivery, contactElsewhere: [] }, referral);
}

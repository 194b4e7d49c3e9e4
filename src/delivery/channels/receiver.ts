import {
  type DeliveryAddress,
  findDeliveryAddress,
  findPractices,
  findServiceForReferral,
  findServicesForReferral,
  hasClosed,
  listUnconfirmedChannels,
} from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { type DeliveryLeg, hasServiceMoved, type Referral } from '../../referrals/index.ts';
import type { Delivery } from '../model/delivery.ts';
import type { OutgoingMessage } from './channel.ts';

/**
 * Used when the service or practice has left the library since, or the service has moved to another organisation: the
 * referral must still reach somebody.
 */
const fallbackChannels: Readonly<Record<DeliveryLeg, readonly string[]>> = {
  service: ['inbox'],
  gp_practice: ['document'],
};

export type WantedChannels = {
  /** In the order in which they are tried. */
  channels: readonly string[];
  /** The channels left out because their address is not confirmed yet. */
  unconfirmed: readonly string[];
  /** The practice has closed, so nothing is sent to it by any channel. */
  isClosed?: true;
};

/** The channels of each receiver. */
export async function findWantedChannels<Each extends Receiver>(
  db: Db,
  receivers: readonly Each[],
  now: Date,
): Promise<ReadonlyMap<Each, WantedChannels>> {
  const ofLeg = (leg: DeliveryLeg) => receivers.filter(({ delivery }) => delivery.leg === leg);
  const serviceIds = ofLeg('service').map(({ referral }) => referral.service_id);
  const odsCodes = ofLeg('gp_practice').flatMap(({ referral }) => referral.gp_practice?.ods_code ?? []);
  const services =
    serviceIds.length > 0 ? await findServicesForReferral(db, [...new Set(serviceIds)]) : undefined;
  const practices = odsCodes.length > 0 ? await findPractices(db, [...new Set(odsCodes)]) : undefined;
  const unconfirmed = await listUnconfirmedChannels(db, { serviceIds, odsCodes });

  function channelsOf({ delivery: { leg }, referral }: Each): WantedChannels {
    if (leg === 'gp_practice') {
      const odsCode = referral.gp_practice?.ods_code ?? '';
      const practice = practices?.get(odsCode);
      if (practice && hasClosed(practice, now)) return { channels: [], unconfirmed: [], isClosed: true };
      const channels = practice?.channels ?? fallbackChannels[leg];
      return withoutUnconfirmed(channels, unconfirmed.practice.get(odsCode));
    }
    const service = services?.get(referral.service_id);
    return service && !hasServiceMoved(service, referral)
      ? withoutUnconfirmed(service.channels, unconfirmed.service.get(referral.service_id))
      : withoutUnconfirmed(fallbackChannels[leg]);
  }
  return new Map(receivers.map((each) => [each, channelsOf(each)]));
}

function withoutUnconfirmed(
  channels: readonly string[],
  unconfirmed: readonly string[] = [],
): WantedChannels {
  return {
    channels: channels.filter((each) => !unconfirmed.includes(each)),
    unconfirmed: channels.filter((each) => unconfirmed.includes(each)),
  };
}

/** The receiver of a delivery about a referral. */
type Receiver = {
  delivery: Pick<Delivery, 'leg'>;
  referral: Pick<Referral, 'service_id' | 'service' | 'gp_practice'>;
};

/** The receiver's address for a channel, from the settings of the service or practice. */
export async function findReceiverAddress(
  db: Db,
  { leg, referral }: Pick<OutgoingMessage, 'leg' | 'referral'>,
  channel: string,
): Promise<DeliveryAddress | undefined> {
  if (leg === 'service') {
    const { service_id: serviceId } = referral;
    if (hasServiceMoved(await findServiceForReferral(db, serviceId), referral)) return undefined;
    return findDeliveryAddress(db, { serviceId }, channel);
  }
  const odsCode = referral.gp_practice?.ods_code;
  return odsCode === undefined ? undefined : findDeliveryAddress(db, { odsCode }, channel);
}

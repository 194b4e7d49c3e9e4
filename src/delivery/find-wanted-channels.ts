import { findPractices, findServicesForReferral } from '../library/index.ts';
import type { Db } from '../platform/database/index.ts';
import type { Referral } from '../referrals/index.ts';
import type { Delivery, Leg } from './delivery.ts';
import { hasMoved } from './moved-service.ts';

/**
 * What counts when the service or the practice has left the library since, or the service those who were asked: the
 * referral must still reach somebody.
 */
const otherwise: Readonly<Record<Leg, readonly string[]>> = {
  service: ['inbox'],
  gp_practice: ['document'],
};

/** The names of the channels that each receiver wants, the first one first. */
export async function findWantedChannels(
  db: Db,
  tellings: readonly Telling[],
): Promise<(readonly string[])[]> {
  const ofLeg = (leg: Leg) => tellings.filter(({ delivery }) => delivery.leg === leg);
  const serviceIds = ofLeg('service').map(({ referral }) => referral.service_id);
  const odsCodes = ofLeg('gp_practice').flatMap(({ referral }) => referral.gp_practice?.ods_code ?? []);
  const services =
    serviceIds.length > 0 ? await findServicesForReferral(db, [...new Set(serviceIds)]) : undefined;
  const practices = odsCodes.length > 0 ? await findPractices(db, [...new Set(odsCodes)]) : undefined;
  return tellings.map(({ delivery: { leg }, referral }) => {
    if (leg === 'gp_practice')
      return practices?.get(referral.gp_practice?.ods_code ?? '')?.channels ?? otherwise[leg];
    const service = services?.get(referral.service_id);
    return service && !hasMoved(service, referral) ? service.channels : otherwise[leg];
  });
}

/** Somebody is to be told of a referral. */
type Telling = {
  delivery: Pick<Delivery, 'leg'>;
  referral: Pick<Referral, 'service_id' | 'service' | 'gp_practice'>;
};

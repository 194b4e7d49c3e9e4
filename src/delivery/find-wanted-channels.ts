import { findPractice, findServiceForReferral } from '../library/index.ts';
import type { Db } from '../platform/database/index.ts';
import type { Referral } from '../referrals/index.ts';
import type { Leg } from './delivery.ts';

/** What counts when the service or the practice has left the library since: the referral must still reach somebody. */
const otherwise: Readonly<Record<Leg, readonly string[]>> = {
  service: ['inbox'],
  gp_practice: ['document'],
};

/** The names of the channels that the receiver wants, the first one first. */
export async function findWantedChannels(
  db: Db,
  leg: Leg,
  referral: Pick<Referral, 'service_id' | 'gp_practice'>,
): Promise<readonly string[]> {
  const receiver =
    leg === 'service'
      ? await findServiceForReferral(db, referral.service_id)
      : referral.gp_practice && (await findPractice(db, referral.gp_practice.ods_code));
  return receiver?.channels ?? otherwise[leg];
}

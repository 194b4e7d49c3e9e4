import type { Trx } from '../../platform/database/index.ts';
import { checkTimeMs, type Referral } from '../../referrals/index.ts';
import { findDeclinedByLink } from '../channels/answer-links-store.ts';
import { referrerHolder } from '../model/holders.ts';
import type { NewDelivery } from '../model/store.ts';
import { listDeclineLettersToSend, setHeld } from './held-store.ts';
import { releaseDeliveries } from './hold-delivery.ts';

const reason =
  'The service declined by the link in its email. The letter waits 24 hours, so that the referrer can say if that was a mistake.';

/**
 * Holds letters to the practice that a service has declined by link, until the referrer has had time to say that it was a mistake.
 * It is no row of the worklist, because no operator has to do anything.
 */
export async function holdForReferrer(
  trx: Trx,
  referral: Pick<Referral, 'id' | 'status'>,
  deliveries: readonly Pick<NewDelivery, 'id' | 'referralId' | 'leg' | 'purpose'>[],
  at: Date,
): Promise<void> {
  if (referral.status !== 'rejected') return;
  const declinedAt = await findDeclinedByLink(trx, referral.id);
  if (!declinedAt || declinedAt.getTime() + checkTimeMs <= at.getTime()) return;
  for (const { id, referralId, leg, purpose } of deliveries)
    if (referralId === referral.id && leg === 'gp_practice' && purpose === 'outcome')
      await setHeld(trx, id, { by: referrerHolder, reason, at });
}

/** Sends the letters about declines that the referrer has had time to check. */
export async function releaseDeclineLetters(trx: Trx, at: Date): Promise<void> {
  const before = new Date(at.getTime() - checkTimeMs);
  await releaseDeliveries(trx, await listDeclineLettersToSend(trx, referrerHolder, before), at);
}

import type { Trx } from '../../platform/database/index.ts';
import { checkTimeMs, openStatuses, type Referral } from '../../referrals/index.ts';
import { findEndedByLink } from '../channels/answer-links-store.ts';
import { heldByReferrer } from '../model/held-by.ts';
import type { NewDelivery } from '../model/store.ts';
import { listEndingLettersToSend, listHeldOf, setHeld } from './held-store.ts';
import { releaseDeliveries } from './hold-delivery.ts';

const reason =
  'The service ended the referral by the link in its email. The letter waits 24 hours, so that the referrer can say if that was a mistake.';

/**
 * Holds letters to the practice about a referral that a service has ended by link, until the referrer has had time to say that it was a
 * mistake. It is no row of the worklist, because no operator has to do anything.
 */
export async function holdForReferrer(
  trx: Trx,
  referral: Pick<Referral, 'id' | 'status'>,
  deliveries: readonly Pick<NewDelivery, 'id' | 'referralId' | 'leg' | 'purpose'>[],
  at: Date,
): Promise<void> {
  // A letter to remove what was sent by mistake never waits.
  if (openStatuses.includes(referral.status) || referral.status === 'entered-in-error') return;
  const ended = await findEndedByLink(trx, referral.id);
  if (!ended || ended.at.getTime() + checkTimeMs <= at.getTime()) return;
  for (const { id, referralId, leg, purpose } of deliveries)
    if (referralId === referral.id && leg === 'gp_practice' && purpose === 'outcome')
      await setHeld(trx, id, { by: heldByReferrer, reason, at });
}

/** Sends the letters about endings that the referrer has had time to check. */
export async function releaseEndingLetters(trx: Trx, at: Date): Promise<void> {
  const before = new Date(at.getTime() - checkTimeMs);
  await releaseDeliveries(trx, await listEndingLettersToSend(trx, heldByReferrer, before), at);
}

/** Sends the letter about an ending that the referrer says is right. */
export async function releaseForReferrer(trx: Trx, referralId: string, at: Date): Promise<void> {
  await releaseDeliveries(trx, await listHeldOf(trx, referralId, heldByReferrer), at);
}

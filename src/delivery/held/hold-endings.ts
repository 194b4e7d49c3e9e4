import type { Trx } from '../../platform/database/index.ts';
import { hourMs, minuteMs } from '../../platform/durations.ts';
import { checkTimeMs, openStatuses, type Referral, takeBackTimeMs } from '../../referrals/index.ts';
import { findEndedByLink } from '../channels/answer-links-store.ts';
import type { NewDelivery } from '../model/deliveries-store.ts';
import { type HeldBy, untilDeclineIsFinal, untilReferrerChecked } from '../model/held-by.ts';
import { lockEndingLettersToSend, lockHeldOf, setHold } from './held-store.ts';
import { releaseDeliveries } from './hold-delivery.ts';

const reasons = {
  [untilReferrerChecked]: `The service ended the referral by the link in its email. The letter waits ${checkTimeMs / hourMs} hours, so that the referrer can say if that was a mistake.`,
  [untilDeclineIsFinal]: `The service declined the referral. The letter waits ${takeBackTimeMs / minuteMs} minutes, so that it can take that back.`,
};

/**
 * Holds letters to the practice about an end that may be a mistake: a service ended the referral by link, until the referrer has had time to
 * say so, or declined it minutes ago. A held letter is not on the worklist: no operator has to do anything.
 */
export async function holdProvisionalEnding(
  trx: Trx,
  referral: Pick<Referral, 'id' | 'status' | 'declineFinalAt'>,
  deliveries: readonly Pick<NewDelivery, 'id' | 'referralId' | 'leg' | 'purpose'>[],
  at: Date,
): Promise<void> {
  // A removal notice never waits.
  if (openStatuses.includes(referral.status) || referral.status === 'entered-in-error') return;
  const by = await findProvisionalHold(trx, referral, at);
  if (!by) return;
  for (const { id, referralId, leg, purpose } of deliveries)
    if (referralId === referral.id && leg === 'gp_practice' && purpose === 'outcome')
      await setHold(trx, id, { by, reason: reasons[by], at });
}

async function findProvisionalHold(
  trx: Trx,
  { id, declineFinalAt }: Pick<Referral, 'id' | 'declineFinalAt'>,
  at: Date,
): Promise<Extract<HeldBy, keyof typeof reasons> | undefined> {
  if (declineFinalAt) return untilDeclineIsFinal;
  const ended = await findEndedByLink(trx, id);
  return ended && ended.at.getTime() + checkTimeMs > at.getTime() ? untilReferrerChecked : undefined;
}

/** Sends the letters about endings that the referrer has had time to check. */
export async function releaseEndingLetters(trx: Trx, at: Date): Promise<void> {
  const before = new Date(at.getTime() - checkTimeMs);
  await releaseDeliveries(trx, await lockEndingLettersToSend(trx, untilReferrerChecked, before), at);
}

/** Sends the letter about an ending that the referrer says is right. */
export async function releaseCheckedEnding(trx: Trx, referralId: string, at: Date): Promise<void> {
  await releaseDeliveries(trx, await lockHeldOf(trx, referralId, untilReferrerChecked), at);
}

/** Sends the letters about a decline that the service can no longer take back. */
export async function releaseFinalDecline(trx: Trx, referralId: string, at: Date): Promise<void> {
  await releaseDeliveries(trx, await lockHeldOf(trx, referralId, untilDeclineIsFinal), at);
}

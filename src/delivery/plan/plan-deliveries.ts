import type { Referral, ReferralChange, ReferralStatus } from '../../referrals/index.ts';
import type { PlannedDelivery, Purpose } from '../model/delivery.ts';

/** Why a practice is not told that the person would have wanted to be told. */
export const noPractice = 'No GP practice was named.';

/** States in which a referral is over, so that the practice is told how it ended, and the service if it was not its doing. */
const ends: readonly ReferralStatus[] = ['completed', 'rejected', 'failed', 'cancelled', 'entered-in-error'];

/** The first states that only the service's answer can lead to. */
const answers: readonly ReferralStatus[] = ['accepted', 'rejected'];

/** Whom a change of a referral must be told to. What the person did not agree to is written down, and not sent. */
export function planDeliveries({
  referral,
  from,
  by,
}: Pick<ReferralChange, 'referral' | 'from' | 'by'>): PlannedDelivery[] {
  if (isNew({ referral, from })) return [toService(referral, 'referral'), toPractice(referral, 'referral')];
  if (!ends.includes(referral.status)) return [];
  const practice = toPractice(referral, 'outcome');
  return by === 'provider' ? [practice] : [toService(referral, 'outcome'), practice];
}

/** Whether this change asks the service, for the first time. */
export function isNew({ referral, from }: Pick<ReferralChange, 'referral' | 'from'>): boolean {
  return referral.status === 'requested' && (from === null || from === 'draft');
}

/** Whether this change shows that the service has the referral in its hands: what the site rejects by itself, nobody may have seen. */
export function isAnswer({ referral, from, by }: Pick<ReferralChange, 'referral' | 'from' | 'by'>): boolean {
  return by === 'provider' && from === 'requested' && answers.includes(referral.status);
}

function toService({ service }: Referral, purpose: Purpose): PlannedDelivery {
  return {
    receiverKind: 'service',
    purpose,
    recipientName: service.name,
    recipientCode: service.organization_id,
    suppressedBecause: null,
  };
}

function toPractice(referral: Referral, purpose: Purpose): PlannedDelivery {
  const { gp_practice: practice, content } = referral;
  return {
    receiverKind: 'gp_practice',
    purpose,
    recipientName: practice?.name ?? null,
    recipientCode: practice?.ods_code ?? null,
    suppressedBecause: whyNotToPractice(content.consent.share_with_gp, practice),
  };
}

function whyNotToPractice(
  share: Referral['content']['consent']['share_with_gp'],
  practice: Referral['gp_practice'],
): string | null {
  if (share === false) return 'The patient did not agree that their GP practice is told.';
  if (practice === null) return noPractice;
  return null;
}

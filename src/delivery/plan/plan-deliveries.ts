import type { Referral, ReferralChange, ReferralStatus } from '../../referrals/index.ts';
import type { PlannedDelivery, Purpose } from '../model/delivery.ts';

/** The person agreed that their practice is told, but nobody named it. */
export const noPractice = 'No GP practice was named.';

/** The statuses that end a referral. The practice is told the outcome, and so is the service if it did not end it itself. */
const endStatuses: readonly ReferralStatus[] = [
  'completed',
  'rejected',
  'failed',
  'cancelled',
  'entered-in-error',
];

/** The statuses of a first answer by the service. */
const answerStatuses: readonly ReferralStatus[] = ['accepted', 'rejected'];

/** The deliveries that a change of a referral makes necessary. Without the person's agreement they are suppressed. */
export function planDeliveries({
  referral,
  from,
  by,
}: Pick<ReferralChange, 'referral' | 'from' | 'by'>): PlannedDelivery[] {
  if (isNew({ referral, from }))
    return [deliveryToService(referral, 'referral'), deliveryToPractice(referral, 'referral')];
  if (!endStatuses.includes(referral.status)) return [];
  const practice = deliveryToPractice(referral, 'outcome');
  return by === 'provider' ? [practice] : [deliveryToService(referral, 'outcome'), practice];
}

/** Whether this change sends the referral to the service for the first time. */
export function isNew({ referral, from }: Pick<ReferralChange, 'referral' | 'from'>): boolean {
  return referral.status === 'requested' && (from === null || from === 'draft');
}

/** Whether this change shows that the service has the referral. A rejection by the site itself does not. */
export function isAnswer({ referral, from, by }: Pick<ReferralChange, 'referral' | 'from' | 'by'>): boolean {
  return by === 'provider' && from === 'requested' && answerStatuses.includes(referral.status);
}

function deliveryToService({ service }: Referral, purpose: Purpose): PlannedDelivery {
  return {
    receiverKind: 'service',
    purpose,
    recipientName: service.name,
    recipientCode: service.organization_id,
    suppressedBecause: null,
  };
}

function deliveryToPractice(referral: Referral, purpose: Purpose): PlannedDelivery {
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

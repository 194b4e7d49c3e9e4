import type { NotificationKind } from '../../accounts/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { isDangerous } from '../model/person/danger/risk.ts';
import { openStatuses, type Referral, type ReferralStatus, referralStatuses } from '../model/referral.ts';
import { isStillUrgent, needsNobodyToAct } from '../model/status/state-machine.ts';

/** News that is only true while the referral has one of these statuses: an end may be taken back before the email goes, and the reverse. */
const statusesOfNews: Readonly<Partial<Record<NotificationKind, readonly string[]>>> = {
  withdrawn: ['cancelled', 'entered-in-error'],
  declined: ['rejected', 'entered-in-error'],
  unanswered: ['rejected', 'entered-in-error'],
  ended: ['completed', 'failed', 'cancelled', 'rejected', 'entered-in-error'],
  reopened: openStatuses,
  'became-urgent': openStatuses,
  file: referralStatuses.filter((status) => status !== 'entered-in-error'),
} satisfies Partial<Record<NotificationKind, readonly ReferralStatus[]>>;

/** Whether news that was stored before is still true of the referral as it is now. Nobody contacts a person who is said to have died. */
export function isStillTrue(
  kind: NotificationKind,
  { status, deathReportedAt }: { status: string; deathReportedAt: Date | null },
): boolean {
  const hasDied = deathReportedAt !== null;
  if (kind === 'death') return hasDied;
  if ((kind === 'reopened' || kind === 'death-undone') && hasDied) return false;
  return statusesOfNews[kind]?.includes(status) ?? true;
}

/** Whether somebody must still look at a danger that the referral tells of. */
export function isStillDangerous(
  referral: Parameters<typeof needsNobodyToAct>[0] & Pick<Referral, 'content'>,
  { crisisPhrases }: Pick<Platform['settings'], 'crisisPhrases'>,
): boolean {
  return !needsNobodyToAct(referral) && isDangerous(referral.content, crisisPhrases);
}

/** For the digests of the accounts room, which reads the columns of referrals and does not know their types. */
export const digestRules = {
  isStillTrue,
  isStillUrgent: (referral: object) => isStillUrgent(referral as Parameters<typeof isStillUrgent>[0]),
  isStillDangerous: (referral: object, settings: Platform['settings']) =>
    isStillDangerous(referral as Parameters<typeof isStillDangerous>[0], settings),
};

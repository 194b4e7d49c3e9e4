import type { NotificationKind } from '../../accounts/index.ts';
import { openStatuses, type ReferralStatus } from '../model/referral.ts';
import { isUrgentStill } from '../model/state-machine.ts';

/** An end can be taken back, and a referral that was opened again can end. Its news is only true while it has one of these statuses. */
const statusesOfNews: Readonly<Partial<Record<NotificationKind, readonly string[]>>> = {
  withdrawn: ['cancelled', 'entered-in-error'],
  declined: ['rejected', 'entered-in-error'],
  unanswered: ['rejected', 'entered-in-error'],
  ended: ['completed', 'failed', 'cancelled', 'rejected', 'entered-in-error'],
  reopened: openStatuses,
  'became-urgent': openStatuses,
} satisfies Partial<Record<NotificationKind, readonly ReferralStatus[]>>;

/** Whether news that was stored before is still true of the referral as it is now. Nobody contacts a person who is said to have died. */
export function isStillTrue(
  kind: NotificationKind,
  { status, deathReportedAt }: { status: string; deathReportedAt: Date | null },
): boolean {
  if (kind === 'reopened' && deathReportedAt !== null) return false;
  return statusesOfNews[kind]?.includes(status) ?? true;
}

/** For the digests of the accounts room, which reads the columns of referrals and does not know their types. */
export const digestRules = {
  isStillTrue,
  isUrgentStill: (referral: object) => isUrgentStill(referral as Parameters<typeof isUrgentStill>[0]),
};

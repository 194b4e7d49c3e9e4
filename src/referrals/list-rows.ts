import type { Caller } from '../accounts/index.ts';
import type { ReferralDeps } from './deps.ts';
import { countUnread } from './messages-store.ts';
import type { PresentedReferral } from './present.ts';
import type { Side } from './state-machine.ts';
import { statusWords, whoseTurn } from './status-words.ts';

/** Referrals as the rows of a list, with how many messages are new to this person. */
export async function listRows(
  { db }: ReferralDeps,
  caller: Caller,
  referrals: readonly PresentedReferral[],
  sidesOf: (referral: PresentedReferral) => readonly Side[],
) {
  const mine = referrals.filter((referral) => sidesOf(referral).length > 0).map(({ id }) => id);
  const unread = mine.length > 0 ? await countUnread(db, mine, caller.accountId) : new Map<string, number>();
  return referrals.map((referral) => {
    const { id, reference, service, status, urgency, overdue, created_at, requested_at } = referral;
    return {
      href: `/referrals/${id}`,
      reference,
      person: referral.restricted ? 'Restricted' : referral.erased_at ? 'Erased' : nameOf(referral),
      service,
      status: statusWords[status],
      urgent: urgency === 'urgent',
      overdue,
      unread: unread.get(id) ?? 0,
      madeAt: requested_at ?? created_at,
      turn: whoseTurn(referral, sidesOf(referral)),
    };
  });
}

/** Of a draft, as much of the name as is known. */
export function nameOf(referral: PresentedReferral): string | undefined {
  const patient = 'patient' in referral ? referral.patient : undefined;
  return patient && [patient.given_name, patient.family_name].filter(Boolean).join(' ');
}

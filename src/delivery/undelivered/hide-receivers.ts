import type { Caller } from '../../accounts/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { findReferralsWithHiddenService, hiddenServiceName, notShown } from '../../referrals/index.ts';
import type { UndeliveredKind } from '../model/undelivered-store.ts';
import type { ListedAttempt, UndeliveredDelivery } from './list-store.ts';

// An operator can work on a message without learning which service somebody uses. To learn it, they give a reason, as on the
// page of the referral.

/** Shown instead of a reason that names the service or its address. */
export const neutralReasons: Readonly<Record<UndeliveredKind, string>> = {
  failed: 'It did not reach the service.',
  uncertain: 'Nobody can tell whether it reached the service.',
  expired: 'The service has not confirmed it in time.',
  unanswered: 'The service has not answered in time.',
  'no-practice': 'The GP practice was not named.',
  held: 'It waits until something else is put right.',
};

/** Removes from deliveries what reveals the service, if the caller may not know it. */
export async function hideReceivers<T extends UndeliveredDelivery & { attempts?: ListedAttempt[] }>(
  trx: Trx,
  caller: Caller,
  deliveries: readonly T[],
): Promise<T[]> {
  const ids = [...new Set(deliveries.map(({ referral }) => referral.id))];
  const hidden = await findReferralsWithHiddenService(trx, caller, ids);
  return deliveries.map((each) => (hidden.has(each.referral.id) ? hide(each, caller) : each));
}

function hide<T extends UndeliveredDelivery & { attempts?: ListedAttempt[] }>(
  delivery: T,
  caller: Caller,
): T {
  const { worklist, attempts, recipient } = delivery;
  // A failure on the way to the practice does not reveal the service. What an operator wrote may reveal it.
  const isToService = delivery.leg === 'service';
  const isOwn = worklist?.closed_by?.id === caller.accountId;
  return {
    ...delivery,
    isServiceHidden: true,
    recipient: isToService ? hiddenServiceName : recipient,
    ...(isToService &&
      attempts && { attempts: attempts.map((attempt) => ({ ...attempt, detail: notShown })) }),
    worklist: worklist && {
      ...worklist,
      reason: isToService ? neutralReasons[worklist.kind] : worklist.reason,
      closing_words: worklist.closing_words !== null && !isOwn ? notShown : worklist.closing_words,
    },
  };
}

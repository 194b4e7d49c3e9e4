import type { Caller } from '../../accounts/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import type { ReferralDeps } from '../deps.ts';
import type { PresentedReferral } from '../present.ts';
import { wrongState } from '../problems.ts';
import { openStatuses } from '../referral.ts';
import { changeRecord, type RecordWish } from './change-record.ts';
import { eraseContent } from './erasure-store.ts';
import { requireUsable } from './usable.ts';

/**
 * Erases what a referral says, for good. Not while somebody has still to act on it, nor while it is restricted: then it may
 * be needed before a court.
 * @throws Problem `not-found`, `wrong-state`, `referral-restricted`, `referral-erased`, `unprocessable`.
 */
export function eraseReferral(
  deps: ReferralDeps,
  caller: Caller,
  wish: RecordWish,
): Promise<PresentedReferral> {
  return changeRecord(deps, caller, wish, 'erased', async (trx, referral, at) => {
    requireUsable(referral);
    if (openStatuses.includes(referral.status))
      throw new Problem(wrongState, `It is ${referral.status}: it has to be ended before it is erased.`);
    await eraseContent(trx, deps, referral.id, at);
  });
}

import type { Caller } from '../../accounts/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import type { ReferralDeps } from '../deps.ts';
import type { PresentedReferral } from '../present.ts';
import { wrongState } from '../problems.ts';
import { changeRecord, type RecordWish } from './change-record.ts';
import { liftRestriction } from './records-store.ts';

/**
 * Lets everybody work with a referral again; what waited to be sent goes out within a minute or two.
 * @throws Problem `not-found`, `wrong-state` where it is not restricted, `referral-erased`, `unprocessable`.
 */
export function unrestrictReferral(
  deps: ReferralDeps,
  caller: Caller,
  wish: RecordWish,
): Promise<PresentedReferral> {
  const { accountId, name } = caller;
  return changeRecord(deps, caller, wish, 'unrestricted', async (trx, referral, at) => {
    if (referral.restrictedAt === null) throw new Problem(wrongState, 'It is not restricted.');
    await liftRestriction(trx, referral.id, { accountId, name, reason: wish.reason, at });
  });
}

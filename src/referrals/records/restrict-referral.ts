import type { Caller } from '../../accounts/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { ReferralDeps } from '../deps.ts';
import type { PresentedReferral } from '../present.ts';
import { changeRecord, type RecordWish } from './change-record.ts';
import { insertRestriction } from './records-store.ts';
import { requireUsable } from './usable.ts';

/**
 * Lets a referral rest: neither side reads it or works with it, and nothing of it is sent, until that is lifted.
 * @throws Problem `not-found`, `referral-restricted`, `referral-erased`, `unprocessable`.
 */
export function restrictReferral(
  deps: ReferralDeps,
  caller: Caller,
  wish: RecordWish,
): Promise<PresentedReferral> {
  const { accountId, name } = caller;
  return changeRecord(deps, caller, wish, 'restricted', async (trx, referral, at) => {
    requireUsable(referral);
    const by = { id: newId(at.getTime()), accountId, name, reason: wish.reason, at };
    await insertRestriction(trx, referral.id, by);
  });
}

import type { Caller } from '../accounts/index.ts';
import type { Trx } from '../platform/database/index.ts';
import { Problem } from '../platform/problem/index.ts';
import { lockSeen, type SeenVersion } from './lock-seen.ts';
import { wrongState } from './problems.ts';
import type { Draft } from './referral.ts';

/** @throws Problem as `lockSeen`, and `wrong-state` for a referral that was sent, or a draft that was thrown away. */
export async function lockDraft(trx: Trx, caller: Caller, seen: SeenVersion): Promise<Draft> {
  const referral = await lockSeen(trx, caller, seen, ['referrer']);
  if (referral.requested_at === null && referral.status === 'draft') return referral;
  throw new Problem(wrongState, `It is ${referral.status}; that is possible only when it is draft.`);
}

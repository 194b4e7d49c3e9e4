import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { forbidden, Problem } from '../platform/problem/index.ts';
import { requireCameToNothing } from './came-to-nothing.ts';
import type { ReferralDeps } from './deps.ts';
import { lockUsable } from './look-at.ts';
import { type PresentedReferral, presentReferral } from './present.ts';
import { noteSeenTo } from './store.ts';

/**
 * Says that the person of a referral that came to nothing was helped in another way, so that it waits for nobody any more. It
 * says nothing to the service and changes no version; said again, it stays with who said it first.
 * @throws Problem `not-found`, `forbidden` for all but its makers, `wrong-state`, `referral-restricted`, `referral-erased`.
 */
export async function seeToReferral(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, address }: { referralId: string; address: string },
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const { referral, sides } = await lockUsable(trx, caller, referralId, at);
    if (!sides.includes('referrer'))
      throw new Problem(forbidden, 'Only the referrer’s organisation can do that.');
    requireCameToNothing(referral);
    const told = (await deps.referralListener.summaries(trx, [referral.id])).get(referral.id);
    if (referral.seenToAt !== null) return presentReferral(caller, referral, { now: at, told });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'referral.seen_to',
      subject: { type: 'referral', id: referral.id },
    });
    const noted = await noteSeenTo(trx, referral.id, caller.name, at);
    return presentReferral(caller, noted, { now: at, told });
  });
}

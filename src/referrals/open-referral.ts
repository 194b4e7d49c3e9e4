import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import type { ReferralDeps } from './deps.ts';
import { lockUsable } from './look-at.ts';
import { insertOpening } from './openings-store.ts';
import { type PresentedReferral, presentReferral } from './present.ts';

/** Long enough to help somebody on the telephone, and too short to leave the page open. */
const openForMs = 60 * 60 * 1000;

/**
 * Shows an operator what is personal and clinical, for an hour. Why is written down, and shown to the organisation that
 * made the referral.
 * @throws Problem `not-found`, `referral-restricted`, `referral-erased`.
 */
export async function openReferral(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, reason, address }: { referralId: string; reason: string; address: string },
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const { referral } = await lockUsable(trx, caller, referralId, at);
    const opening = {
      id: newId(at.getTime()),
      accountId: caller.accountId,
      accountName: caller.name,
      at,
      endsAt: new Date(at.getTime() + openForMs),
      reason,
    };
    await insertOpening(trx, { ...opening, referralId: referral.id });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'referral.opened',
      subject: { type: 'referral', id: referral.id },
      details: { opening: opening.id, until: opening.endsAt.toISOString() },
    });
    const told = await deps.referralListener.summaries(trx, [referral.id]);
    return presentReferral(caller, referral, { now: at, told: told.get(referral.id), opened: true });
  });
}

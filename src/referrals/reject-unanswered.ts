import { theSite } from '../accounts/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import type { ReferralDeps } from './deps.ts';
import { siteAsHistoryActor } from './history-actor.ts';
import { moveReferral } from './move-referral.ts';
import { rules } from './state-machine.ts';
import { lockReferral } from './store.ts';

/** Rejects a referral that nobody answered, so that the referrer learns of it and can help the person another way. */
export async function rejectUnanswered(deps: ReferralDeps, id: string, days: number): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const referral = await lockReferral(trx, id);
    // The service may have answered meanwhile, or nobody may work with it any more.
    if (referral?.status !== 'requested' || referral.restrictedAt) return;
    const text = `This was automatic: the service did not answer within ${days} days.`;
    const step = {
      to: rules.reject.to,
      reason: { code: 'other', text } as const,
      outcome: null,
      expectedDate: null,
      at: deps.clock.now(),
    };
    await moveReferral(deps, trx, referral, step, {
      by: 'site',
      history: siteAsHistoryActor,
      audit: theSite,
    });
  });
}

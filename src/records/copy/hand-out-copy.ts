import { type ActionOn, actorOf } from '../../accounts/index.ts';
import { recordAudit, recordAudits } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { defineProblem, Problem } from '../../platform/problem/index.ts';
import type { ReferralDeps } from '../../referrals/index.ts';
import type { PatientRecord } from './collect-record.ts';
import { setHandedOut } from './copies-store.ts';
import { copyForPatient, loadPacked, lockPacked } from './review-copy.ts';

const copyNotReviewed = defineProblem({
  type: 'copy-not-reviewed',
  status: 409,
  title: 'Nobody has reviewed this copy yet',
  detail: 'An operator looks through it first, on the page that `review_at` of the copy names.',
});

/**
 * Hands out a reviewed copy, and audits that.
 * @returns the record without what the reviewer left out.
 * @throws Problem `not-found`, also for a copy that was emptied; `copy-not-reviewed`.
 */
export async function handOutCopy(deps: ReferralDeps, act: ActionOn): Promise<PatientRecord> {
  const at = deps.clock.now();
  const { caller } = act;
  return inTransaction(deps.db, async (trx) => {
    const copy = await lockPacked(trx, act.id);
    if (copy.reviewedAt === null) throw new Problem(copyNotReviewed);
    await setHandedOut(trx, copy.id, { at, name: caller.name });
    const actor = actorOf(caller, act.ipAddress);
    await recordAudit(trx, {
      at,
      actor,
      action: 'patient.exported',
      subject: { type: 'record_copy', id: copy.id },
      details: { referrals: copy.referralIds, reason: copy.reason },
    });
    await recordAudits(
      trx,
      copy.referralIds.map((id) => ({
        at,
        actor,
        action: 'referral.exported',
        subject: { type: 'referral', id },
      })),
    );
    return copyForPatient(await loadPacked(trx, deps, copy));
  });
}

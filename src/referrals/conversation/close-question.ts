import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inRetriedTransaction } from '../../platform/database/index.ts';
import { lockForSides } from '../model/access/access.ts';
import { writingSide } from '../model/access/sides.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { deleteQuestion } from './questions-store.ts';

/**
 * Somebody of the side that was asked says that the question needs no answer here, such as after a telephone call. Nobody is told.
 * @throws Problem `not-found`, `forbidden`, `referral-restricted`, `referral-erased`.
 */
export function closeQuestion(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, ipAddress }: { referralId: string; ipAddress: string },
): Promise<void> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral, sides } = await lockForSides(trx, caller, referralId, at);
    if (!(await deleteQuestion(trx, referral.id, writingSide(sides)!))) return;
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.question_settled',
      subject: { type: 'referral', id: referral.id },
    });
  });
}

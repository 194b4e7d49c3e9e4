import { type ActionOn, actorOf } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { requireById } from '../../platform/ids/index.ts';
import type { ReferralDeps } from '../../referrals/index.ts';
import { lockCopy, setAskedBack } from './copies-store.ts';

/**
 * Notes that an operator has asked for a copy back, because a file in it was removed. A second time changes nothing.
 * @throws Problem `not-found`.
 */
export async function markCopyAskedBack(
  deps: ReferralDeps,
  { caller, id, ipAddress }: ActionOn,
): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    const copy = await requireById(id, (id) => lockCopy(trx, id));
    if (!(await setAskedBack(trx, copy.id, { at, name: caller.name }))) return;
    const subject = { type: 'record_copy', id: copy.id };
    const actor = actorOf(caller, ipAddress);
    await recordAudit(trx, { at, actor, action: 'record_copy.asked_back', subject });
  });
}

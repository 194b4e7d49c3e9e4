import { actorOf, type Caller } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { endCheckFirst, lockCheckFirst } from '../../../platform/check-first/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { defineProblem, Problem } from '../../../platform/problem/index.ts';
import { sendDeliveries } from '../../model/deliver-jobs.ts';
import { checkFirstHolder, keptBackHolder } from '../../model/holders.ts';
import { addToWorklist } from '../../model/worklist-store.ts';
import { resolveHeldRows } from '../held-store.ts';
import { moveHold, releaseAfterCheck } from './store.ts';

const nothingToCheck = defineProblem({
  type: 'nothing-to-check',
  status: 409,
  title: 'There is nothing to check',
  detail: 'Somebody else has confirmed already, or this site was not restored.',
});

const keptDetail =
  'An operator kept this message back after the site was restored. Send it again or mark it as resolved.';

/**
 * An operator has found out what was sent between the backup and the loss. Messages go again, except those kept back.
 * @throws Problem `nothing-to-check`.
 */
export function confirmSent(
  { db, clock }: Platform,
  { caller, ipAddress, keepIds }: { caller: Caller; ipAddress: string; keepIds: readonly string[] },
): Promise<void> {
  const at = clock.now();
  return inTransaction(db, async (trx) => {
    const checkFirst = await lockCheckFirst(trx, 'end');
    if (!checkFirst) throw new Problem(nothingToCheck);
    const change = { from: checkFirstHolder, to: keptBackHolder, detail: keptDetail, at };
    const kept = await moveHold(trx, keepIds, change);
    for (const deliveryId of kept)
      await addToWorklist(trx, { deliveryId, kind: 'held', reason: keptDetail, at });
    const ids = await releaseAfterCheck(trx, checkFirstHolder, { before: checkFirst.backupMadeAt, at });
    await resolveHeldRows(trx, ids, at);
    await sendDeliveries(trx, ids);
    await endCheckFirst(trx, checkFirst.id, { accountId: caller.accountId, at });
    const details = { backup_made_at: checkFirst.backupMadeAt, sent: ids.length, kept_back: kept.length };
    const actor = actorOf(caller, ipAddress);
    await recordAudit(trx, { at, actor, action: 'site.checked_after_restore', details });
  });
}

import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { localTime } from '../../platform/clock/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { lockPractice } from '../channels/addresses-store.ts';
import { hasClosed } from './has-closed.ts';
import { requirePractice } from './require-practice.ts';
import { saveClosings } from './save-closings.ts';

/**
 * Says that a practice has closed today, or is open after all. Those who made open referrals that name it are told.
 * @throws Problem `not-found`.
 */
export async function setPracticeClosed(
  deps: Platform,
  caller: Caller,
  { odsCode, closed, ipAddress }: { odsCode: string; closed: boolean; ipAddress: string },
): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    await lockPractice(trx, odsCode);
    const before = await requirePractice(trx, odsCode);
    // A practice with a future closing date counts as open; opening it removes that date.
    if (closed ? hasClosed(before, at) : before.closedOn === null) return;
    await saveClosings(trx, [{ odsCode, closedOn: closed ? localTime(at).day.date : null }], at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: closed ? 'practice.closed' : 'practice.opened',
      subject: { type: 'practice', id: odsCode },
    });
  });
}

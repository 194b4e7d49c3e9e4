import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { requireById } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { forbidden, Problem } from '../../platform/problem/index.ts';
import { lockReview, saveReview } from './unusual-access-store.ts';

/**
 * Records the review of unusual access. A second review changes nothing.
 * @throws Problem `not-found`; `forbidden` for access by the caller, or by a system that they own.
 */
export async function reviewAccess(
  deps: Platform,
  caller: Caller,
  { id, note, ipAddress }: { id: string; note: string; ipAddress: string },
): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    const access = await requireById(id, (id) => lockReview(trx, id));
    if ([access.accountId, access.ownerId].includes(caller.accountId))
      throw new Problem(forbidden, 'It is about you: ask another operator to review it.');
    if (access.checkedAt !== null) return;
    await saveReview(trx, access.id, { at, by: caller.accountId, byName: caller.name, note });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'looks.checked',
      subject: { type: 'account', id: access.accountId },
      details: { look: access.id, reason: access.reason },
    });
  });
}

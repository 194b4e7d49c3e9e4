import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { update } from '../history/change.ts';
import { recordChanges } from '../history/store.ts';
import { serviceHasReferrals } from '../problems.ts';
import { authorOf } from './author.ts';
import type { EditDeps } from './deps.ts';
import { openForEdit } from './edit-service.ts';
import { deleteServiceUnlessReferred } from './store.ts';

/**
 * Takes a service out of the library for good; what it said stays in its history.
 * @throws Problem `not-found`, `forbidden`, `version-stale`, `service-has-referrals`.
 */
export async function deleteService(
  deps: EditDeps,
  caller: Caller,
  { id, seen, address }: { id: string; seen: readonly string[]; address: string },
): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    const service = await openForEdit(trx, caller, id, seen);
    if (!(await deleteServiceUnlessReferred(trx, id))) {
      throw new Problem(
        serviceHasReferrals,
        'Set its status to inactive or defunct instead: it is then no longer listed.',
      );
    }
    const change = { ...update('service', id, service, {}), action: 'delete' as const };
    await recordChanges(trx, authorOf(deps, caller, at), [change]);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'service.deleted',
      subject: { type: 'service', id },
      details: { name: service.name },
    });
  });
}

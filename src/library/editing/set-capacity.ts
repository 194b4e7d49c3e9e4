import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { update } from '../history/change.ts';
import { recordChanges } from '../history/store.ts';
import { foundOr404 } from '../route-parts.ts';
import type { Dated } from '../send-answer.ts';
import { readService } from '../services/read-service.ts';
import { authorOf } from './author.ts';
import type { EditDeps } from './deps.ts';
import { openForEdit } from './edit-service.ts';
import { type Capacity, capacityInHistory, findCapacity, saveCapacity } from './settings-store.ts';

/** HSDS 3.1's. */
export const capacityStatuses = ['capacity', 'waitlist', 'no-capacity'];
export const longestWaitingTime = 200;

/**
 * Says whether a service has room for more people. The date of it counts, so the same can be said again.
 * @throws Problem `not-found`, `forbidden`.
 */
export async function setCapacity(
  deps: EditDeps,
  caller: Caller,
  { id, address, capacity }: { id: string; address: string; capacity: Capacity },
): Promise<Dated> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    await openForEdit(trx, caller, id);
    const before = capacityInHistory(await findCapacity(trx, id));
    const author = authorOf(deps, caller, at);
    await saveCapacity(trx, id, { ...capacity, at, by: author.name });
    await recordChanges(trx, author, [update('service', id, before, capacityInHistory(capacity))]);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'service.capacity_said',
      subject: { type: 'service', id },
      details: { status: capacity.status },
    });
    return foundOr404('service', await readService(trx, id));
  });
}

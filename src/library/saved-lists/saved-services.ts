import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { findServiceForReferral } from '../channels/settings-store.ts';
import { type ListDeps, listFull, lockOwnList } from './lists.ts';
import { insertEntry, removeEntry } from './saved-lists-store.ts';

export const maxServicesOnList = 100;

export type SavedOnList = { listId: string; serviceId: string };

/**
 * Puts a service on a list. A service that is on it already stays where it is.
 * @throws Problem `not-found` (the list, or the service), `forbidden`, `list-full`.
 */
export async function saveOnList(
  deps: ListDeps,
  caller: Caller,
  { listId, serviceId }: SavedOnList,
  ipAddress: string,
): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    const { services } = await lockOwnList(trx, caller, listId);
    const service = await findServiceForReferral(trx, serviceId);
    if (!service) throw new Problem(notFound, 'The library has no service with this id.');
    const isNew = await insertEntry(trx, { listId, serviceId, at, accountId: caller.accountId });
    if (!isNew) return;
    // After the insert, so that a service that is on a full list already is no error. The refusal undoes it.
    if (services >= maxServicesOnList) throw new Problem(listFull);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'service-list.service-saved',
      subject: { type: 'service-list', id: listId },
      details: { service: serviceId },
    });
  });
}

/** Takes a service off a list, if it is on it. @throws Problem `not-found`, `forbidden`. */
export async function removeFromList(
  deps: ListDeps,
  caller: Caller,
  { listId, serviceId }: SavedOnList,
  ipAddress: string,
): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    await lockOwnList(trx, caller, listId);
    const wasThere = !serviceId.includes('\0') && (await removeEntry(trx, { listId, serviceId, at }));
    if (!wasThere) return;
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'service-list.service-taken-off',
      subject: { type: 'service-list', id: listId },
      details: { service: serviceId },
    });
  });
}

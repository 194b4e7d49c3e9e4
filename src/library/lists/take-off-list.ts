import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { ListDeps } from './deps.ts';
import { lockOwnList } from './own-list.ts';
import type { Saved } from './save-service.ts';
import { removeEntry } from './store.ts';

/** Takes a service off a list; one that is not on it is off it already. @throws Problem `not-found`, `forbidden`. */
export async function takeOffList(
  deps: ListDeps,
  caller: Caller,
  { listId, serviceId }: Saved,
  address: string,
): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    await lockOwnList(trx, caller, listId);
    const wasThere = !serviceId.includes('\0') && (await removeEntry(trx, { listId, serviceId, at }));
    if (!wasThere) return;
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'service-list.service-taken-off',
      subject: { type: 'service-list', id: listId },
      details: { service: serviceId },
    });
  });
}

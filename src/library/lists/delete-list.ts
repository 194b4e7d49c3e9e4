import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { ListDeps } from './deps.ts';
import { lockOwnList } from './own-list.ts';
import { removeList } from './store.ts';

/** Deletes the list; its services stay in the library. @throws Problem `not-found`, `forbidden`. */
export async function deleteList(deps: ListDeps, caller: Caller, id: string, address: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const { services } = await lockOwnList(trx, caller, id);
    await removeList(trx, id);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, address),
      action: 'service-list.deleted',
      subject: { type: 'service-list', id },
      details: { services },
    });
  });
}

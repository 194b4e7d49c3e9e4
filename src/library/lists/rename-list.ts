import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import type { ListDeps } from './deps.ts';
import { checkName } from './list-name.ts';
import { lockOwnList, organisationOf, readOwnList } from './own-list.ts';
import { listNameTaken } from './problems.ts';
import { isNameTaken, type ServiceList, takeTurn, updateListName } from './store.ts';

/** @throws Problem `not-found`, `forbidden`, `unprocessable`, `list-name-taken`. */
export async function renameList(
  deps: ListDeps,
  caller: Caller,
  { id, name: typed }: { id: string; name: string },
  address: string,
): Promise<ServiceList> {
  const name = checkName(typed);
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const organisationId = organisationOf(caller);
    await takeTurn(trx, organisationId);
    await lockOwnList(trx, caller, id);
    if (await isNameTaken(trx, organisationId, name, id)) throw new Problem(listNameTaken);
    await updateListName(trx, id, name, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'service-list.renamed',
      subject: { type: 'service-list', id },
    });
    return readOwnList(trx, caller, id);
  });
}

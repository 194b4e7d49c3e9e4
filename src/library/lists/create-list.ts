import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import type { ListDeps } from './deps.ts';
import { checkName } from './list-name.ts';
import { organisationOf, readOwnList } from './own-list.ts';
import { listNameTaken, tooManyLists } from './problems.ts';
import { countLists, insertList, isNameTaken, type ServiceList, takeTurn } from './store.ts';

export const mostLists = 100;

/**
 * Begins a list for the caller's organisation. What it is called stays out of the audit: people write in names what
 * they should not.
 * @throws Problem `forbidden`, `unprocessable`, `too-many-lists`, `list-name-taken`.
 */
export async function createList(
  deps: ListDeps,
  caller: Caller,
  typed: string,
  address: string,
): Promise<ServiceList> {
  const organisationId = organisationOf(caller);
  const name = checkName(typed);
  const at = deps.clock.now();
  const id = newId(at.getTime());
  return inTransaction(deps.db, async (trx) => {
    await takeTurn(trx, organisationId);
    if ((await countLists(trx, organisationId)) >= mostLists) throw new Problem(tooManyLists);
    if (await isNameTaken(trx, organisationId, name, id)) throw new Problem(listNameTaken);
    await insertList(trx, { id, organisationId, name, at });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'service-list.created',
      subject: { type: 'service-list', id },
    });
    return readOwnList(trx, caller, id);
  });
}

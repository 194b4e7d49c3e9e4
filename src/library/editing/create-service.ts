import type { Caller } from '../../accounts/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import type { Service } from '../hsds/service.ts';
import { serviceExists } from '../problems.ts';
import { foundOr404 } from '../route-parts.ts';
import type { Dated } from '../send-answer.ts';
import { readService } from '../services/read-service.ts';
import type { EditDeps } from './deps.ts';
import { saveEdited } from './save-edited.ts';
import { findStoredService, lockForEdit } from './store.ts';

/**
 * Adds a service to the library.
 * @throws Problem `service-exists`, `forbidden` (another's organisation), `unprocessable`.
 */
export async function createService(
  deps: EditDeps,
  caller: Caller,
  service: Service,
  address: string,
): Promise<Dated> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    await lockForEdit(trx);
    const taken = await findStoredService(trx, service.id);
    if (taken !== undefined) throw new Problem(serviceExists);
    await saveEdited(deps, trx, caller, {
      before: undefined,
      after: service,
      action: 'service.created',
      address,
      at,
    });
    return foundOr404('service', await readService(trx, service.id));
  });
}

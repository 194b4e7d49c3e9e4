import type { Caller } from '../../accounts/index.ts';
import { type Db, inTransaction, type Trx } from '../../platform/database/index.ts';
import type { Service } from '../hsds/service.ts';
import { foundOr404 } from '../route-parts.ts';
import type { Dated } from '../send-answer.ts';
import { readService } from '../services/read-service.ts';
import type { EditDeps } from './deps.ts';
import { requireEditor } from './may-edit.ts';
import { saveEdited } from './save-edited.ts';
import { findStoredService, lockForEdit } from './store.ts';
import { requireSeen } from './versions.ts';

export type EditRequest = {
  id: string;
  /** The versions that the caller has seen; left out where the change does not depend on what it has seen. */
  seen?: readonly string[];
  address: string;
  action: string;
};

/**
 * Changes a service of the library in one transaction with its history and audit.
 * @returns the service as it is read now.
 * @throws Problem `not-found`, `forbidden`, `version-stale`.
 */
export async function editService(
  deps: EditDeps,
  caller: Caller,
  { id, seen, address, action }: EditRequest,
  edit: (service: Service, at: Date) => Service,
): Promise<Dated> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const before = await openForEdit(trx, caller, id, seen);
    await saveEdited(deps, trx, caller, { before, after: edit(before, at), action, address, at });
    return foundOr404('service', await readService(trx, id));
  });
}

/** The service as it is stored, which nobody else changes until the transaction ends. */
export async function openForEdit(
  trx: Trx,
  caller: Caller,
  id: string,
  seen?: readonly string[],
): Promise<Service> {
  await lockForEdit(trx);
  const service = await readForEdit(trx, caller, id);
  if (seen) requireSeen(seen, foundOr404('service', await readService(trx, id)).content);
  return service;
}

/** The service as it is stored. @throws Problem `not-found`, `forbidden` for those who may not edit it. */
export async function readForEdit(db: Db, caller: Caller, id: string): Promise<Service> {
  const service = foundOr404('service', await findStoredService(db, id));
  requireEditor(caller, service.organization?.id ?? service.organization_id ?? null);
  return service;
}

import { actorOf, type Caller } from '../../accounts/index.ts';
import { type AuditAction, recordAudit } from '../../audit/index.ts';
import { type Db, inTransaction, type Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, versionStale } from '../../platform/problem/index.ts';
import type { DatedContent } from '../hsds/etag.ts';
import { etagOf } from '../hsds/etag.ts';
import { requireFound, resources } from '../hsds/resource.ts';
import { findServiceWithHistory } from '../hsds/services-store.ts';
import { updateOf } from '../model/change.ts';
import { serviceExists, serviceHasReferrals } from '../model/problems.ts';
import type { Service } from '../model/service.ts';
import { recordChanges } from '../write/changes-store.ts';
import { lockForEdit } from '../write/services-store.ts';
import { deleteServiceUnlessReferred, findStoredService } from './edit-service-store.ts';
import { authorOf, requireEditor } from './editors.ts';
import { saveServiceChange } from './save-service.ts';

export type EditRequest = {
  id: string;
  /** ETags of the versions that the caller has seen. Leave out for a change that does not depend on what was seen. */
  ifMatch?: readonly string[];
  ipAddress: string;
  action: AuditAction;
};

/**
 * Changes a service in one transaction with its history and audit. @returns the service as the API now answers it.
 * @throws Problem `not-found`, `forbidden`, `version-stale`.
 */
export async function editService(
  deps: Platform,
  caller: Caller,
  request: EditRequest,
  edit: (service: Service, at: Date) => Service,
): Promise<DatedContent> {
  return inTransaction(deps.db, (trx) => editServiceIn(trx, deps, caller, request, edit));
}

/** {@link editService} in a transaction that changes more. */
export async function editServiceIn(
  trx: Trx,
  deps: Platform,
  caller: Caller,
  { id, ifMatch, ipAddress, action }: EditRequest,
  edit: (service: Service, at: Date) => Service,
): Promise<DatedContent> {
  const at = deps.clock.now();
  const before = await openForEdit(trx, caller, id, ifMatch);
  await saveServiceChange(trx, deps, caller, { before, after: edit(before, at), action, ipAddress, at });
  return requireFound(resources.services, await findServiceWithHistory(trx, id));
}

/** The service as it is stored, locked until the transaction ends. */
export async function openForEdit(
  trx: Trx,
  caller: Caller,
  id: string,
  ifMatch?: readonly string[],
): Promise<Service> {
  await lockForEdit(trx);
  const service = await readForEdit(trx, caller, id);
  if (ifMatch)
    requireCurrentVersion(
      ifMatch,
      requireFound(resources.services, await findServiceWithHistory(trx, id)).content,
    );
  return service;
}

/** The service as it is stored. @throws Problem `not-found`, `forbidden` if the caller may not edit it. */
export async function readForEdit(db: Db, caller: Caller, id: string): Promise<Service> {
  const service = requireFound(resources.services, await findStoredService(db, id));
  requireEditor(caller, service.organization?.id ?? service.organization_id ?? null);
  return service;
}

/**
 * Adds a service to the library.
 * @throws Problem `service-exists`, `forbidden` (another's organisation), `unprocessable`.
 */
export async function createService(
  deps: Platform,
  caller: Caller,
  service: Service,
  ipAddress: string,
): Promise<DatedContent> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    await lockForEdit(trx);
    if (await findStoredService(trx, service.id)) throw new Problem(serviceExists);
    await saveServiceChange(trx, deps, caller, {
      before: undefined,
      after: service,
      action: 'service.created',
      ipAddress,
      at,
    });
    return requireFound(resources.services, await findServiceWithHistory(trx, service.id));
  });
}

/**
 * Deletes a service. Its history stays.
 * @throws Problem `not-found`, `forbidden`, `version-stale`, `service-has-referrals`.
 */
export async function deleteService(
  deps: Platform,
  caller: Caller,
  { id, ifMatch, ipAddress }: { id: string; ifMatch: readonly string[]; ipAddress: string },
): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    const service = await openForEdit(trx, caller, id, ifMatch);
    if (!(await deleteServiceUnlessReferred(trx, id))) {
      throw new Problem(serviceHasReferrals);
    }
    const change = { ...updateOf('service', id, service, {}), action: 'delete' as const };
    await recordChanges(trx, authorOf(deps, caller, at), [change]);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'service.deleted',
      subject: { type: 'service', id },
      details: { name: service.name },
    });
  });
}

/** @throws Problem `version-stale` if the service has changed since the caller read it. */
function requireCurrentVersion(ifMatch: readonly string[], content: string): void {
  const etag = etagOf(content);
  if (ifMatch.includes(etag) || ifMatch.includes('*')) return;
  throw new Problem(versionStale, 'Read the service again, then change it again.', { headers: { etag } });
}

import { actorOf, type Caller, requireCallerIsPerson } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { localTime } from '../../../platform/clock/index.ts';
import { inTransaction, type Trx } from '../../../platform/database/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { DatedContent } from '../../hsds/etag.ts';
import { requireFound, resources } from '../../hsds/resource.ts';
import { findServiceWithHistory } from '../../hsds/services-store.ts';
import { updateOf } from '../../model/change.ts';
import type { Service } from '../../model/service.ts';
import {
  availabilityInHistory,
  findAvailability,
  renewAvailability,
  type StoredAvailability,
  saveAvailability,
} from '../../write/availability-store.ts';
import { recordChanges } from '../../write/changes-store.ts';
import { editService, editServiceIn, openForEdit } from '../edit-service.ts';
import { authorOf } from '../editors.ts';

/**
 * Sets whether a service takes new people. Setting the same again renews its date.
 * @throws Problem `not-found`, `forbidden`.
 */
export async function setAvailability(
  deps: Platform,
  caller: Caller,
  { id, ipAddress, availability }: { id: string; ipAddress: string; availability: StoredAvailability },
): Promise<DatedContent> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    await openForEdit(trx, caller, id);
    const before = availabilityInHistory(await findAvailability(trx, id));
    const author = authorOf(deps, caller, at);
    await saveAvailability(trx, id, { ...availability, at });
    await recordChanges(trx, author, [updateOf('service', id, before, availabilityInHistory(availability))]);
    await auditAvailability(trx, caller, { id, ipAddress, status: availability.status, at });
    return requireFound(resources.services, await findServiceWithHistory(trx, id));
  });
}

/** @param status the one that was set */
function auditAvailability(
  trx: Trx,
  caller: Caller,
  { id, ipAddress, status, at }: { id: string; ipAddress: string; status: string; at: Date },
): Promise<void> {
  return recordAudit(trx, {
    at,
    actor: actorOf(caller, ipAddress),
    // The name that earlier audit entries use.
    action: 'service.capacity_said',
    subject: { type: 'service', id },
    details: { status },
  });
}

/**
 * Records that a service is right as it is: its details, and its availability if anybody has set it. An availability that its source
 * reported stays for the source to check.
 * @throws Problem `not-found`, `forbidden`, `needs-person`.
 */
export async function markStillRight(
  deps: Platform,
  caller: Caller,
  { id, ipAddress }: { id: string; ipAddress: string },
): Promise<void> {
  requireCallerIsPerson(caller);
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    await editServiceIn(trx, deps, caller, { id, ipAddress, action: 'service.checked' }, checkedBy(caller));
    const status = await renewAvailability(trx, id, at);
    if (status !== undefined) await auditAvailability(trx, caller, { id, ipAddress, status, at });
  });
}

/**
 * Records that somebody checked the service today.
 * @throws Problem `not-found`, `forbidden`, `needs-person`.
 */
export async function markChecked(
  deps: Platform,
  caller: Caller,
  { id, ipAddress }: { id: string; ipAddress: string },
): Promise<DatedContent> {
  requireCallerIsPerson(caller);
  return editService(deps, caller, { id, ipAddress, action: 'service.checked' }, checkedBy(caller));
}

/**
 * Sets HSDS's `assured_date`, and in `assurer_email` how to reach who checked the service. For a provider that is the organisation's
 * address, if the library has one.
 */
function checkedBy(caller: Caller) {
  return (service: Service, at: Date): Service => ({
    ...service,
    assured_date: localTime(at).day.date,
    assurer_email: (!caller.roles.includes('operator') && service.organization?.email) || caller.email,
  });
}

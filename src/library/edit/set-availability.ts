import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { localTime } from '../hours/calendar-day.ts';
import { requireFound } from '../hsds/route-parts.ts';
import type { DatedContent } from '../hsds/send-answer.ts';
import { readService } from '../hsds/services-store.ts';
import { update } from '../model/change.ts';
import {
  availabilityInHistory,
  findAvailability,
  type StoredAvailability,
  saveAvailability,
} from '../write/availability-store.ts';
import { recordChanges } from '../write/changes-store.ts';
import { editService, openForEdit } from './edit-service.ts';
import { authorOf } from './editors.ts';

/** HSDS 3.1's. */
export const capacityStatuses = ['capacity', 'waitlist', 'no-capacity'];
export const maxWaitingTimeLength = 200;

/**
 * Says whether a service has room for more people. The date of it counts, so the same can be said again.
 * @throws Problem `not-found`, `forbidden`.
 */
export async function setAvailability(
  deps: Platform,
  caller: Caller,
  { id, address, capacity }: { id: string; address: string; capacity: StoredAvailability },
): Promise<DatedContent> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    await openForEdit(trx, caller, id);
    const before = availabilityInHistory(await findAvailability(trx, id));
    const author = authorOf(deps, caller, at);
    await saveAvailability(trx, id, { ...capacity, at, by: author.name });
    await recordChanges(trx, author, [update('service', id, before, availabilityInHistory(capacity))]);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'service.capacity_said',
      subject: { type: 'service', id },
      details: { status: capacity.status },
    });
    return requireFound('service', await readService(trx, id));
  });
}

/**
 * Notes that somebody looked at the entry today and found it right: HSDS's `assured_date`, and in `assurer_email` how to
 * reach those who said so. Of a provider that is their organisation's address, if the library has one.
 * @throws Problem `not-found`, `forbidden`.
 */
export function markChecked(
  deps: Platform,
  caller: Caller,
  { id, address }: { id: string; address: string },
): Promise<DatedContent> {
  return editService(deps, caller, { id, address, action: 'service.checked' }, (service, at) => ({
    ...service,
    assured_date: localTime(at).day.date,
    assurer_email: (!caller.roles.includes('operator') && service.organization?.email) || caller.email,
  }));
}

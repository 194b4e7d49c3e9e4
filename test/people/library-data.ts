import { updateDisabledAt } from '../../src/accounts/model/accounts-store.ts';
import { saveReferralSettings } from '../../src/library/channels/settings-store.ts';
import { insertEntry, insertList } from '../../src/library/lists/store.ts';
import { saveAvailability } from '../../src/library/write/availability-store.ts';
import type { Db } from '../../src/platform/database/index.ts';
import { inTransaction } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids/index.ts';

// Writes library data past the checks of pages and API, for tests of what cannot be made there, or not quickly.

/** Sets by which channels a service is reached, without the addresses that they need. */
export function setChannels(
  db: Db,
  serviceId: string,
  { accepts = true, channels }: { accepts?: boolean; channels: string[] },
): Promise<void> {
  const nobody = { answered_by: null, answer_email: null, answer_telephone: null };
  return inTransaction(db, (trx) =>
    saveReferralSettings(trx, serviceId, { accepts, channels, ...nobody }, new Date()),
  );
}

/** Gives every service without an availability a waiting list. */
export async function setWaitingLists(db: Db): Promise<void> {
  const services = await db
    .selectFrom('services as s')
    .leftJoin('service_capacity as c', 'c.service_id', 's.id')
    .select('s.id')
    .where('c.service_id', 'is', null)
    .execute();
  const at = new Date();
  await inTransaction(db, async (trx) => {
    for (const { id } of services)
      await saveAvailability(trx, id, { status: 'waitlist', waiting_time: null, at, by: 'a test' });
  });
}

/** How many rows of a part, such as `places`, a service has. */
export async function countParts(
  db: Db,
  part: 'documents' | 'taxonomy_terms' | 'at_locations' | 'places' | 'hours' | 'area_extents',
  serviceId: string,
): Promise<number> {
  const rows = await db
    .selectFrom(`service_${part}`)
    .select('service_id')
    .where('service_id', '=', serviceId)
    .execute();
  return rows.length;
}

export function fillList(
  db: Db,
  listId: string,
  serviceIds: readonly string[],
  accountId: string,
): Promise<void> {
  return inTransaction(db, async (trx) => {
    for (const serviceId of serviceIds)
      await insertEntry(trx, { listId, serviceId, at: new Date(), accountId });
  });
}

/** Makes lists for the organisation of another list until it has this many. */
export async function makeLists(db: Db, likeId: string, count: number): Promise<void> {
  const { organisation_id: organisationId } = await db
    .selectFrom('service_lists')
    .select('organisation_id')
    .where('id', '=', likeId)
    .executeTakeFirstOrThrow();
  const lists = await db
    .selectFrom('service_lists')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .execute();
  await inTransaction(db, async (trx) => {
    for (let index = lists.length; index < count; index += 1)
      await insertList(trx, { id: newId(), organisationId, name: `Filler ${index}`, at: new Date() });
  });
}

/** Disables an account without signing it out, so that only who can open a worklist changes. */
export function disableAccount(db: Db, id: string): Promise<void> {
  return inTransaction(db, (trx) => updateDisabledAt(trx, id, new Date()));
}

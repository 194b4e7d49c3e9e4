import { type Selectable, sql, type Updateable } from 'kysely';
import { recordAddressChange } from '../../src/library/channels/address-history.ts';
import { saveReferralSettings } from '../../src/library/channels/settings-store.ts';
import { insertEntry, insertList } from '../../src/library/saved-lists/saved-lists-store.ts';
import { type Db, inTransaction, type Trx } from '../../src/platform/database/index.ts';
import type { LibraryChanges, LibraryImports, Services } from '../../src/platform/database/tables.ts';
import { newId } from '../../src/platform/ids/index.ts';
import type { Platform } from '../../src/platform/platform.ts';

// What the database holds of the library, for tests that look behind the pages and the API; and what tests write there
// that cannot be made by pages and API, or not quickly.

/** The id, name and status of every service. */
export function storedServices(db: Db): Promise<{ id: string; name: string; status: string }[]> {
  return db.selectFrom('services').select(['id', 'name', 'status']).orderBy('id').execute();
}

/** The ids of the active services. */
export async function activeServices(db: Db): Promise<string[]> {
  const services = await storedServices(db);
  return services.filter(({ status }) => status === 'active').map(({ id }) => id);
}

/** Changes a service, without its document and its history. */
export async function changeService(db: Db, id: string, change: Updateable<Services>): Promise<void> {
  await db.updateTable('services').set(change).where('id', '=', id).execute();
}

/** Renames a service, so that a search finds the new name. */
export async function renameService(db: Db, id: string, name: string): Promise<void> {
  const search = sql<string>`service_search(${name}, '', '', '')`;
  await db.updateTable('services').set({ name, search }).where('id', '=', id).execute();
}

/** Appends a text to the name of every service, in one statement. */
export async function appendToNames(db: Db, text: string): Promise<void> {
  await sql`update services set name = name || ${text}`.execute(db);
}

/** Deletes a service, without its history. */
export async function deleteService(db: Db, id: string): Promise<void> {
  await db.deleteFrom('services').where('id', '=', id).execute();
}

/** Stores an organisation that has no services yet. */
export async function storeOrganization(db: Db, { id, name }: { id: string; name: string }): Promise<void> {
  const organization = { id, name, document: '{}', summary: '{}', search: '', updated_at: new Date() };
  await db.insertInto('organizations').values(organization).execute();
}

/** Deletes an organisation that has no services. */
export async function deleteOrganization(db: Db, id: string): Promise<void> {
  await db.deleteFrom('organizations').where('id', '=', id).execute();
}

/** The name of a service, of its organisation and of its terms. */
export async function storedNames(
  db: Db,
  serviceId: string,
): Promise<{ service: string; organization: string | null; terms: string[] }> {
  const { service, organization } = await db
    .selectFrom('services as s')
    .leftJoin('organizations as o', 'o.id', 's.organization_id')
    .select(['s.name as service', 'o.name as organization'])
    .where('s.id', '=', serviceId)
    .executeTakeFirstOrThrow();
  const terms = await db
    .selectFrom('service_taxonomy_terms as st')
    .innerJoin('taxonomy_terms as t', 't.id', 'st.term_id')
    .select('t.name')
    .where('st.service_id', '=', serviceId)
    .orderBy('t.name')
    .execute();
  return { service, organization, terms: terms.map(({ name }) => name) };
}

/** The id and name of everything in the library that may be there without a service: organisations, taxonomies, terms. */
export async function storedThings(db: Db): Promise<{ id: string; name: string }[]> {
  const things = await Promise.all(
    (['organizations', 'taxonomies', 'taxonomy_terms'] as const).map((table) =>
      db.selectFrom(table).select(['id', 'name']).execute(),
    ),
  );
  return things.flat().toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Every column of every service and its documents. */
export function storedServicesInFull(db: Db): Promise<object[]> {
  return db
    .selectFrom('services as s')
    .innerJoin('service_documents as d', 'd.service_id', 's.id')
    .selectAll()
    .orderBy('s.id')
    .execute();
}

/** The services in full as JSON text, as they are stored, by their ids. */
export async function storedDocuments(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('service_documents').select(['service_id', 'document']).execute();
  return new Map(rows.map(({ service_id, document }) => [service_id, document]));
}

/** Replaces the document of a service, and nothing that is made from it. */
export async function replaceDocument(db: Db, serviceId: string, document: string): Promise<void> {
  await db.updateTable('service_documents').set({ document }).where('service_id', '=', serviceId).execute();
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

/** The rows by which services are filtered: their ages and week, places, hours and areas. */
export async function storedFilterRows(db: Db): Promise<object[][]> {
  const tables = await Promise.all([
    sql<object>`select id, minimum_age, maximum_age, week::text from services order by id`.execute(db),
    sql<object>`
      select *, point::text, week::text from service_places order by service_id, number`.execute(db),
    sql<object>`select *, during::text from service_hours h order by h::text`.execute(db),
    sql<object>`select *, extent::text from service_area_extents e order by e::text`.execute(db),
  ]);
  return tables.map(({ rows }) => rows);
}

/** Sets when in the week a service and all its places are open, as minutes from Monday on. */
export async function setWeek(db: Db, serviceId: string, week: string): Promise<void> {
  await changeService(db, serviceId, { week });
  await db.updateTable('service_places').set({ week }).where('service_id', '=', serviceId).execute();
}

type Availability = { status: string; waitingTime?: string; setAt?: Date };

/** Sets the availability of a service. */
export async function setAvailability(
  db: Db,
  serviceId: string,
  { status, waitingTime, setAt = new Date() }: Availability,
): Promise<void> {
  const row = { status, waiting_time: waitingTime ?? null, set_at: setAt };
  await db
    .insertInto('service_capacity')
    .values({ service_id: serviceId, ...row })
    .onConflict((conflict) => conflict.column('service_id').doUpdateSet(row))
    .execute();
}

/** As if nobody had ever set the availability of a service. */
export async function removeAvailability(db: Db, serviceId: string): Promise<void> {
  await db.deleteFrom('service_capacity').where('service_id', '=', serviceId).execute();
}

/** Gives every service without an availability a waiting list. */
export async function setWaitingLists(db: Db): Promise<void> {
  const services = await db
    .selectFrom('services as s')
    .leftJoin('service_capacity as c', 'c.service_id', 's.id')
    .select('s.id')
    .where('c.service_id', 'is', null)
    .execute();
  for (const { id } of services) await setAvailability(db, id, { status: 'waitlist' });
}

/** Sets whether a service takes referrals, and by which channels, without the addresses that they need. */
export function setChannels(
  db: Db,
  serviceId: string,
  { accepts = true, channels }: { accepts?: boolean; channels: string[] },
): Promise<void> {
  const nobody = {
    answered_by: null,
    answer_email: null,
    answer_telephone: null,
    sensitive: false,
    location_confidential: false,
    record_kind: 'general' as const,
    retention_years: null,
    answer_by_link: true,
    self_referral: false,
  };
  return inTransaction(db, (trx) =>
    saveReferralSettings(trx, serviceId, { accepts, channels, ...nobody }, new Date()),
  );
}

/** Sets marks of a service whose settings somebody has set. */
export async function setPrivacy(
  db: Db,
  serviceId: string,
  settings: { answer_by_link?: boolean; self_referral?: boolean; sensitive?: boolean },
): Promise<void> {
  await db
    .updateTable('service_referral_settings')
    .set(settings)
    .where('service_id', '=', serviceId)
    .execute();
}

/** Sets from which age a service is for people; null for any. */
export async function setMinimumAge(db: Db, serviceId: string, minimumAge: number | null): Promise<void> {
  await db.updateTable('services').set({ minimum_age: minimumAge }).where('id', '=', serviceId).execute();
}

/** Sets whether a service takes referrals, and nothing else. */
export async function setAccepts(db: Db, serviceId: string, accepts: boolean): Promise<void> {
  await db
    .insertInto('service_referral_settings')
    .values({ service_id: serviceId, accepts })
    .onConflict((conflict) => conflict.column('service_id').doUpdateSet({ accepts }))
    .execute();
}

/** Sets after how many days a service answers, half of the time. */
export async function setMedianDays(db: Db, serviceId: string, days: number): Promise<void> {
  await db
    .insertInto('service_responsiveness')
    .values({ service_id: serviceId, median_days: days })
    .execute();
}

/** Gives every taxonomy term the same name. */
export async function renameTerms(db: Db, name: string): Promise<void> {
  await db.updateTable('taxonomy_terms').set({ name }).execute();
}

/** The changes of the library’s history about one thing, the oldest first. */
export function storedChanges(db: Db, resourceId: string): Promise<Selectable<LibraryChanges>[]> {
  const changes = db.selectFrom('library_changes').selectAll().where('resource_id', '=', resourceId);
  return changes.orderBy('number').execute();
}

/** The names of the sources from which services came. */
export async function storedSources(db: Db): Promise<string[]> {
  const sources = await db.selectFrom('library_sources').select('name').orderBy('name').execute();
  return sources.map(({ name }) => name);
}

/** As if no postcode had ever been imported. */
export async function deletePostcodes(db: Db): Promise<void> {
  await db.deleteFrom('postcodes').execute();
}

/** Does the work while the database refuses every service of this name, which no check foresees. */
export async function whileRefusingName<T>(db: Db, name: string, work: () => Promise<T>): Promise<T> {
  await sql`
    alter table services add constraint unforeseen check (name <> ${sql.lit(name)})`.execute(db);
  try {
    return await work();
  } finally {
    await sql`alter table services drop constraint unforeseen`.execute(db);
  }
}

/** What the database has of the addresses of feeds that somebody may still import, as text. */
export async function keptAddresses(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('library_imports')
    .leftJoin('library_import_chunks', 'import_id', 'id')
    .where('is_feed', '=', true)
    .select(['address_sealed', 'content'])
    .execute();
  const values = rows.flatMap(({ address_sealed, content }) => [address_sealed, content]);
  return values.flatMap((value) => value?.toString('latin1') ?? []);
}

/** The imports whose files are kept. */
export function keptImportFiles(db: Db): Promise<{ id: string; state: string; isFeed: boolean }[]> {
  return db
    .selectFrom('library_imports')
    .innerJoin('library_import_chunks', 'import_id', 'id')
    .select(['id', 'state', 'is_feed as isFeed'])
    .distinct()
    .execute();
}

/** Deletes the file of an import, whatever its state. */
export async function deleteImportFile(db: Db, importId: string): Promise<void> {
  await db.deleteFrom('library_import_chunks').where('import_id', '=', importId).execute();
}

/** Changes an import, without anything that follows from that. */
export async function changeImport(db: Db, id: string, change: Updateable<LibraryImports>): Promise<void> {
  await db.updateTable('library_imports').set(change).where('id', '=', id).execute();
}

/** Lets every link that confirms a delivery address expire. @returns how many there were. */
export async function expirePendingAddresses(db: Db): Promise<number> {
  const pending = db.updateTable('pending_delivery_addresses').set({ expires_at: new Date(0) });
  return Number((await pending.executeTakeFirstOrThrow()).numUpdatedRows);
}

/** As if the history of the delivery addresses had been sealed with a site key that was lost. */
export async function damageAddressHistory(db: Db): Promise<void> {
  await db
    .updateTable('delivery_address_history')
    .set({ sealed: Buffer.alloc(40) })
    .execute();
}

/** Puts services on a list, past its limit. */
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

/**
 * Stores services with these numbers, each with a place, and an organisation beside each. Their names are not in the
 * order of their ids, and three have the same name.
 */
export function storeNumberedServices(db: Db, from: number, to: number): Promise<void> {
  return inTransaction(db, async (trx) => {
    const numbers = sql`generate_series(${from}::int, ${to}::int) as n`;
    await sql`
      insert into services (id, name, status, search, last_modified, updated_at)
      select 'id' || n, 'name ' || md5((n / 3)::text), 'active', '', now(), now() from ${numbers}`.execute(
      trx,
    );
    await sql`
      insert into service_documents (service_id, document, summary, content_hash)
      select id, json_build_object('id', id, 'name', id, 'status', 'active',
          'service_at_locations', json_build_array(json_build_object('id', id))),
        json_build_object('id', id, 'name', id, 'status', 'active'), ''
      from ${numbers} cross join lateral (select 'id' || n as id) as each`.execute(trx);
    await sql`
      insert into service_at_locations (service_id, number, id)
      select s.id, 1, s.id from ${numbers} join services s on s.id = 'id' || n`.execute(trx);
    await sql`
      insert into organizations (id, name, document, summary, search, updated_at)
      select id, name, '{}', json_build_object('id', id, 'name', name)::text, '', now()
      from ${numbers} join services on id = 'id' || n`.execute(trx);
  });
}

/** The imports with their states, oldest first. */
export function storedImports(db: Db): Promise<Selectable<LibraryImports>[]> {
  return db.selectFrom('library_imports').selectAll().orderBy('id').execute();
}

/** Takes the mark of a sensitive service away. */
export async function makeOrdinary(db: Db, serviceId: string): Promise<void> {
  await db
    .updateTable('service_referral_settings')
    .set({ sensitive: false })
    .where('service_id', '=', serviceId)
    .execute();
}

/** Marks a service as sensitive, and nothing else. */
export async function markSensitive(db: Db, serviceId: string): Promise<void> {
  await db
    .insertInto('service_referral_settings')
    .values({
      service_id: serviceId,
      accepts: true,
      channels: ['inbox'],
      sensitive: true,
      updated_at: new Date(),
    })
    .onConflict((conflict) => conflict.column('service_id').doUpdateSet({ sensitive: true }))
    .execute();
}

/** Marks the place of a service as confidential, but not the service as sensitive. */
export async function markPlaceConfidential(db: Db, serviceId: string): Promise<void> {
  const row = { service_id: serviceId, accepts: true, channels: ['inbox'], location_confidential: true };
  await db
    .insertInto('service_referral_settings')
    .values({ ...row, updated_at: new Date() })
    .onConflict((conflict) => conflict.column('service_id').doUpdateSet({ location_confidential: true }))
    .execute();
}

/** Gives a service an area on the map, as the corners of a polygon. */
export async function outlineServiceArea(db: Db, serviceId: string, polygon: string): Promise<void> {
  await sql`insert into service_area_extents (service_id, extent) values (${serviceId}, ${polygon}::polygon)`.execute(
    db,
  );
}

/** As if a service had had this mobile number for codes, and removed it. */
export function storeRemovedNumber(
  trx: Trx,
  deps: Platform,
  serviceId: string,
  number: string,
): Promise<void> {
  const change = { channel: 'code_telephone', what: 'removed', from: number, to: null } as const;
  return recordAddressChange(trx, deps, { serviceId }, { ...change, by: 'Asha', at: deps.clock.now() });
}

/** As if no row for the offers of services had been made yet. */
export async function deleteOffers(db: Db): Promise<void> {
  await db.deleteFrom('service_offers').execute();
}

/** As if every service with an availability had become full. */
export async function makeAllFull(db: Db): Promise<void> {
  await db.updateTable('service_capacity').set({ status: 'no-capacity' }).execute();
}

/** How many people are registered with a practice. */
export async function storedListSize(db: Db, odsCode: string): Promise<number | null> {
  const practices = db.selectFrom('practices').select('list_size').where('ods_code', '=', odsCode);
  return (await practices.executeTakeFirstOrThrow()).list_size;
}

/** The deciles of deprivation of all postcodes, by postcode. */
export function storedDeciles(
  db: Db,
): Promise<{ postcode: string; imd_decile: number | null; imd_year: number | null }[]> {
  return db
    .selectFrom('postcodes')
    .select(['postcode', 'imd_decile', 'imd_year'])
    .orderBy('postcode')
    .execute();
}

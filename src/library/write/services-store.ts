import { sql } from 'kysely';
import { type Db, holdTaskLock, shareLocks, type Trx, wasUpdatedSql } from '../../platform/database/index.ts';
import type { ServiceRow } from './service-row.ts';

/** The lock that separates edits from imports. */
const lockName = 'library';

/**
 * Waits until no import is writing, and keeps imports from writing until the transaction ends. So an edit changes exactly
 * what it read, and the two cannot deadlock: whatever an import writes to `services`, it calls `lockForImport` first.
 */
export async function lockForEdit(trx: Trx): Promise<void> {
  await holdTaskLock(trx, lockName);
}

/** As {@link lockForEdit}, for a batch of an import. Imports do not block each other. */
export async function lockForImport(trx: Trx): Promise<void> {
  await shareLocks(trx, 'task', [lockName]);
}

/** Locks services in the order in which every import locks them: by the bytes of their ids, independent of the database's collation. */
export async function lockServices(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    select from services where id = any(${ids}) order by id collate "C" for no key update`.execute(trx);
}

/** Whether a service to which people were referred closes, opens again or gets another organisation: somebody must look after open referrals. */
export async function changesReferredServices(trx: Trx, rows: readonly ServiceRow[]): Promise<boolean> {
  const after = rows.map(({ id, status, organizationId }) => ({ id, status, organizationId }));
  const { rows: answers } = await sql<{ changes: boolean }>`
    select exists (
      select from json_to_recordset(${JSON.stringify(after)}::json) as given(id text, status text, "organizationId" text)
      join services s on s.id = given.id
      where (s.status <> given.status or s.organization_id is distinct from given."organizationId")
        and exists (select from referrals r where r.service_id = s.id)) as changes`.execute(trx);
  return answers[0]!.changes;
}

export type SavedAs = {
  /** The source that the services come from; each keeps its source if this is left out. */
  sourceId?: string | undefined;
  /** When somebody here last edited a service, by its id. The others are no longer marked as edited, so imports may change them. */
  editedAt?: ReadonlyMap<string, Date>;
};

/** @returns the ids of services that existed before. */
export async function saveServiceRows(
  trx: Trx,
  rows: readonly ServiceRow[],
  at: Date,
  { sourceId, editedAt }: SavedAs,
): Promise<string[]> {
  const rowsToSave = rows.map(({ filter, lastModified, ...row }) => ({
    id: row.id,
    name: row.name,
    status: row.status,
    organization_id: row.organizationId,
    other_names: row.otherNames,
    description: row.description,
    term_names: row.termNames,
    minimum_age: filter.minimumAge,
    maximum_age: filter.maximumAge,
    week: filter.week,
    last_modified: lastModified,
    assured_on: row.assuredOn,
    source_hash: sourceId === undefined ? null : row.sourceHash,
    edited_at: editedAt?.get(row.id) ?? null,
  }));
  const { rows: saved } = await sql<{ id: string; known: boolean }>`
    insert into services
      (id, name, status, organization_id, search, minimum_age, maximum_age, week, last_modified, assured_on,
        updated_at, source_id, source_hash, edited_at)
    select id, name, status, organization_id, service_search(name, other_names, description, term_names),
      minimum_age, maximum_age, week, last_modified, assured_on, ${at}, ${sourceId ?? null}::uuid, source_hash, edited_at
    from json_to_recordset(${JSON.stringify(rowsToSave)}::json) as given(id text, name text, status text,
      organization_id text, other_names text, description text, term_names text, minimum_age float8,
      maximum_age float8, week int4multirange, last_modified timestamptz, assured_on date, source_hash text, edited_at timestamptz)
    on conflict (id) do update set name = excluded.name, status = excluded.status,
      organization_id = excluded.organization_id, search = excluded.search,
      minimum_age = excluded.minimum_age, maximum_age = excluded.maximum_age, week = excluded.week,
      last_modified = excluded.last_modified, assured_on = excluded.assured_on, updated_at = excluded.updated_at,
      edited_at = excluded.edited_at,
      source_id = coalesce(excluded.source_id, services.source_id),
      source_hash = coalesce(excluded.source_hash, services.source_hash)
    returning id, ${wasUpdatedSql} as known`.execute(trx);
  return saved.filter(({ known }) => known).map(({ id }) => id);
}

export async function saveDocuments(trx: Trx, rows: readonly ServiceRow[]): Promise<void> {
  const documents = rows.map(({ id, document, summary, contentHash }) => ({
    service_id: id,
    document,
    summary,
    content_hash: contentHash,
  }));
  await sql`
    insert into service_documents (service_id, document, summary, content_hash)
    select service_id, document, summary, content_hash from json_populate_recordset(null::service_documents, ${JSON.stringify(documents)}::json)`.execute(
    trx,
  );
}

/** Deletes the parts of changed services; they are written again. */
export async function deletePartsOf(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    with terms as (delete from service_taxonomy_terms where service_id = any(${ids})),
    at_locations as (delete from service_at_locations where service_id = any(${ids})),
    places as (delete from service_places where service_id = any(${ids})),
    hours as (delete from service_hours where service_id = any(${ids})),
    documents as (delete from service_documents where service_id = any(${ids}))
    delete from service_area_extents where service_id = any(${ids})`.execute(trx);
}

export async function saveServiceTerms(trx: Trx, rows: readonly ServiceRow[]): Promise<void> {
  const links = rows.flatMap(({ id, termIds }) => termIds.map((termId) => ({ id, termId })));
  if (links.length === 0) return;
  await sql`
    insert into service_taxonomy_terms (service_id, term_id)
    select * from unnest(${links.map(({ id }) => id)}::text[], ${links.map(({ termId }) => termId)}::text[])`.execute(
    trx,
  );
}

/**
 * Updates PostgreSQL's statistics after many changes, and the visibility map of the table whose pages are counted, so that
 * counting reads only the index. Autovacuum does both too, but minutes later, and lists are slow until then.
 */
export async function updateStatistics(db: Db): Promise<void> {
  // VACUUM cannot run in a transaction; there autovacuum does it later.
  const analyze = db.isTransaction ? sql`analyze` : sql`vacuum (analyze)`;
  await db.connection().execute(async (connection) => {
    // A small sample is enough for now; autovacuum takes a larger one later.
    await sql`set default_statistics_target = 20`.execute(connection);
    try {
      await sql`${analyze} organizations`.execute(connection);
      await sql`
        analyze services, service_at_locations, service_places, service_taxonomy_terms, service_hours, taxonomy_terms`.execute(
        connection,
      );
    } finally {
      await sql`reset default_statistics_target`.execute(connection);
    }
  });
}

/** A service at a location without an id cannot be read by itself, only within its service. */
export async function saveServiceAtLocations(trx: Trx, rows: readonly ServiceRow[]): Promise<void> {
  const places = rows.flatMap(({ id: serviceId, atLocations }) =>
    atLocations.flatMap((id, index) => (id === undefined ? [] : { serviceId, number: index + 1, id })),
  );
  if (places.length === 0) return;
  await sql`
    insert into service_at_locations (service_id, number, id)
    select * from unnest(${places.map(({ serviceId }) => serviceId)}::text[],
      ${places.map(({ number }) => number)}::integer[], ${places.map(({ id }) => id)}::text[])`.execute(trx);
}

/** Saves correctly spelt words. Typed words are completed to them, and misspelt words corrected. */
export async function saveSearchWords(trx: Trx, words: readonly string[]): Promise<void> {
  await sql`
    insert into search_words (word) select * from unnest(${words.toSorted()}::text[])
    on conflict do nothing`.execute(trx);
}

/** Makes the next import save these services again, even if nothing has changed at the source. */
export async function clearSourceHashes(trx: Trx, serviceIds: readonly string[]): Promise<void> {
  await sql`update services set source_hash = null where id = any(${serviceIds}::text[])`.execute(trx);
}

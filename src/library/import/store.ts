import { sql } from 'kysely';
import { binaryTexts, type Columns, copyRows, type Db, type Trx } from '../../platform/database/index.ts';
import { savePlacesHoursAndAreas } from '../filter/store.ts';
import { saveCapacities } from './capacity-store.ts';
import { saveOrganizations } from './organization-store.ts';
import { saveServiceAtLocations } from './service-at-location-store.ts';
import type { ServiceRow } from './service-row.ts';
import { saveTaxonomies } from './taxonomy-store.ts';

/**
 * Writes a batch of services that are new or changed, with all that hangs on them. Without a source, each keeps the one
 * that it has.
 * @returns the ids of those that were there before
 */
export async function saveServices(
  trx: Trx,
  rows: readonly ServiceRow[],
  at: Date,
  sourceId?: string,
): Promise<readonly string[]> {
  const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await saveOrganizations(trx, sorted, at);
  await saveTaxonomies(trx, sorted, at);
  const known = await saveServiceRows(trx, sorted, at, sourceId);
  // Of new services nothing hangs there yet: looking for it took a tenth of an import.
  if (known.length > 0) await deletePartsOf(trx, known);
  await saveDocuments(trx, sorted);
  await saveServiceTerms(trx, sorted);
  await saveServiceAtLocations(trx, sorted);
  await saveCapacities(trx, sorted, at);
  await savePlacesHoursAndAreas(
    trx,
    sorted.map(({ filter }) => filter),
  );
  return known;
}

/** @returns the ids of those that were there before. */
async function saveServiceRows(
  trx: Trx,
  rows: readonly ServiceRow[],
  at: Date,
  sourceId: string | undefined,
): Promise<string[]> {
  const texts = (of: (row: ServiceRow) => string | null) => sql`${binaryTexts(rows.map(of))}::text[]`;
  const { rows: saved } = await sql<{ id: string; known: boolean }>`
    /* prepared as save-services */ insert into services
      (id, name, status, organization_id, search, minimum_age, maximum_age, week, last_modified, assured_on,
        imported_at, updated_at, source_id, source_hash)
    select id, name, status, organization_id, service_search(name, other_names, description, term_names),
      minimum_age, maximum_age, week::int4multirange, last_modified::timestamptz, assured_on::date, ${at}, ${at},
      ${sourceId ?? null}::uuid, case when ${sourceId !== undefined}::boolean then source_hash end
    from unnest(${texts(({ id }) => id)}, ${texts(({ name }) => name)}, ${texts(({ status }) => status)},
      ${texts((row) => row.organizationId)}, ${texts((row) => row.otherNames)}, ${texts((row) => row.description)},
      ${texts((row) => row.termNames)}, ${rows.map(({ filter }) => filter.minimumAge)}::float8[],
      ${rows.map(({ filter }) => filter.maximumAge)}::float8[], ${texts(({ filter }) => filter.week)},
      ${texts((row) => row.lastModified.toISOString())}, ${texts((row) => row.assuredOn)},
      ${texts((row) => row.sourceHash)})
      as given(id, name, status, organization_id, other_names, description, term_names, minimum_age, maximum_age,
        week, last_modified, assured_on, source_hash)
    on conflict (id) do update set name = excluded.name, status = excluded.status,
      organization_id = excluded.organization_id, search = excluded.search,
      minimum_age = excluded.minimum_age, maximum_age = excluded.maximum_age, week = excluded.week,
      last_modified = excluded.last_modified, assured_on = excluded.assured_on, updated_at = excluded.updated_at,
      edited_at = null,
      source_id = coalesce(excluded.source_id, services.source_id),
      source_hash = coalesce(excluded.source_hash, services.source_hash)
    returning id, xmax <> 0 as known`.execute(trx);
  return saved.filter(({ known }) => known).map(({ id }) => id);
}

async function saveDocuments(trx: Trx, rows: readonly ServiceRow[]): Promise<void> {
  const columns = {
    service_id: ({ id }, into) => into.text(id),
    document: ({ document }, into) => into.text(document),
    summary: ({ summary }, into) => into.text(summary),
    content_hash: ({ contentHash }, into) => into.text(contentHash),
  } satisfies Columns<ServiceRow>;
  await copyRows(trx, 'service_documents', columns, rows);
}

/** What is made anew of a service that changed. */
async function deletePartsOf(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    with terms as (delete from service_taxonomy_terms where service_id = any(${ids})),
    at_locations as (delete from service_at_locations where service_id = any(${ids})),
    places as (delete from service_places where service_id = any(${ids})),
    hours as (delete from service_hours where service_id = any(${ids})),
    documents as (delete from service_documents where service_id = any(${ids}))
    delete from service_area_extents where service_id = any(${ids})`.execute(trx);
}

async function saveServiceTerms(trx: Trx, rows: readonly ServiceRow[]): Promise<void> {
  const links = rows.flatMap(({ id, termIds }) => termIds.map((termId) => ({ id, termId })));
  const columns = {
    service_id: ({ id }, into) => into.text(id),
    term_id: ({ termId }, into) => into.text(termId),
  } satisfies Columns<(typeof links)[number]>;
  await copyRows(trx, 'service_taxonomy_terms', columns, links);
}

/**
 * After many changes: what the planner knows of the tables that are asked by more than their keys; and, where pages are
 * counted, which rows everybody sees: with that, an index alone is counted and not the table. PostgreSQL does both by
 * itself, but minutes later, and lists are slow until then.
 */
export async function settleTables(db: Db): Promise<void> {
  // No transaction can clean up; one that is part of something larger leaves it to PostgreSQL.
  const settle = db.isTransaction ? sql`analyze` : sql`vacuum (analyze)`;
  await db.connection().execute(async (connection) => {
    // A first impression: PostgreSQL looks more closely by itself, when nobody waits for it.
    await sql`set default_statistics_target = 20`.execute(connection);
    await sql`${settle} organizations`.execute(connection);
    await sql`
      analyze services, service_at_locations, service_places, service_taxonomy_terms, service_hours, taxonomy_terms`.execute(
      connection,
    );
    await sql`reset default_statistics_target`.execute(connection);
  });
}

import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { savePlacesHoursAndAreas } from '../filter/store.ts';
import { saveCapacities } from './capacity-store.ts';
import { saveOrganizations } from './organization-store.ts';
import { saveServiceAtLocations } from './service-at-location-store.ts';
import type { ServiceRow } from './service-row.ts';
import { saveTaxonomies } from './taxonomy-store.ts';

/**
 * Writes a batch of services that are new or changed, with all that hangs on them. One JSON text carries the rows, in
 * which the finished documents stand as they are: PostgreSQL hands them on without taking them apart. Without a source,
 * each keeps the one that it has.
 */
export async function saveServices(
  trx: Trx,
  rows: readonly ServiceRow[],
  at: Date,
  sourceId?: string,
): Promise<void> {
  const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await saveOrganizations(trx, sorted, at);
  await saveTaxonomies(trx, sorted, at);
  const { rows: known } = await sql<{ id: string }>`
    with given as materialized (
      select * from json_to_recordset(${recordsOf(sorted)}::json) as r(
        id text, name text, status text, organization_id text, last_modified timestamptz,
        assured_on date, other_names text, description text, term_names text, minimum_age float8, maximum_age float8, week int4multirange,
        content_hash text, source_hash text, document json, summary json)),
    saved as (
      insert into services
        (id, name, status, organization_id, search, minimum_age, maximum_age, week, last_modified, assured_on,
          imported_at, updated_at, source_id, source_hash)
      select id, name, status, organization_id, service_search(name, other_names, description, term_names),
        minimum_age, maximum_age, week, last_modified, assured_on, ${at}, ${at}, ${sourceId ?? null}::uuid,
        case when ${sourceId !== undefined}::boolean then source_hash end
      from given
      on conflict (id) do update set name = excluded.name, status = excluded.status,
        organization_id = excluded.organization_id, search = excluded.search,
        minimum_age = excluded.minimum_age, maximum_age = excluded.maximum_age, week = excluded.week,
        last_modified = excluded.last_modified, assured_on = excluded.assured_on, updated_at = excluded.updated_at,
        edited_at = null,
        source_id = coalesce(excluded.source_id, services.source_id),
        source_hash = coalesce(excluded.source_hash, services.source_hash)
      returning id, xmax <> 0 as known),
    documents as (
      insert into service_documents (service_id, document, summary, content_hash)
      select id, document::text, summary::text, content_hash from given
      on conflict (service_id) do update set document = excluded.document, summary = excluded.summary,
        content_hash = excluded.content_hash)
    select id from saved where known`.execute(trx);
  // Of new services nothing hangs there yet: looking for it took a tenth of an import.
  if (known.length > 0)
    await deletePartsOf(
      trx,
      known.map(({ id }) => id),
    );
  await saveServiceTerms(trx, sorted);
  await saveServiceAtLocations(trx, sorted);
  await saveCapacities(trx, sorted);
  await savePlacesHoursAndAreas(
    trx,
    sorted.map(({ filter }) => filter),
  );
}

/** What is made anew of a service that changed. */
async function deletePartsOf(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    with terms as (delete from service_taxonomy_terms where service_id = any(${ids})),
    at_locations as (delete from service_at_locations where service_id = any(${ids})),
    places as (delete from service_places where service_id = any(${ids})),
    hours as (delete from service_hours where service_id = any(${ids}))
    delete from service_area_extents where service_id = any(${ids})`.execute(trx);
}

function recordsOf(rows: readonly ServiceRow[]): string {
  const records = rows.map((row) => {
    const columns = JSON.stringify({
      id: row.id,
      name: row.name,
      status: row.status,
      organization_id: row.organizationId,
      last_modified: row.lastModified,
      assured_on: row.assuredOn,
      other_names: row.otherNames,
      description: row.description,
      term_names: row.termNames,
      minimum_age: row.filter.minimumAge,
      maximum_age: row.filter.maximumAge,
      week: row.filter.week,
      content_hash: row.contentHash,
      source_hash: row.sourceHash,
    });
    return `${columns.slice(0, -1)},"document":${row.document},"summary":${row.summary}}`;
  });
  return `[${records.join(',')}]`;
}

async function saveServiceTerms(trx: Trx, rows: readonly ServiceRow[]): Promise<void> {
  const links = rows.flatMap(({ id, terms }) => terms.map((term) => [id, term.id] as const));
  await sql`
    insert into service_taxonomy_terms (service_id, term_id)
    select distinct * from unnest(${links.map(([id]) => id)}::text[], ${links.map(([, term]) => term)}::text[])`.execute(
    trx,
  );
}

/**
 * After many changes: what the planner knows of the tables, the search indexes' lists of entries that are not sorted in
 * yet, and, in what is counted for every page of a list, which rows everybody sees: with that, an index alone is counted
 * and not the table. PostgreSQL does all three by itself, but minutes later, and searches are slow until then.
 */
export async function settleTables(db: Db): Promise<void> {
  // No transaction can clean up; one that is part of something larger leaves it to PostgreSQL.
  const settle = db.isTransaction ? sql`analyze` : sql`vacuum (analyze)`;
  await sql`${settle} services, service_at_locations, service_places, organizations`.execute(db);
  await sql`analyze service_documents, service_taxonomy_terms, service_hours, taxonomy_terms, search_words`.execute(
    db,
  );
}

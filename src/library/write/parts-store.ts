import { sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';
import {
  maxSearchedLength,
  type ServiceRow,
  singleValues,
  type Taxonomy,
  taxonomiesOf,
  taxonomyIdOf,
  withDescription,
} from './service-row.ts';

/** The organisations of a batch of services. */
export async function saveOrganizations(
  trx: Trx,
  rows: readonly Pick<ServiceRow, 'organization'>[],
  at: Date,
): Promise<void> {
  const organizations = latestById(rows.flatMap(({ organization }) => organization ?? [])).map(
    withDescription,
  );
  if (organizations.length === 0) return;
  const rowsToSave = organizations.map((organization) => ({
    id: organization.id,
    name: organization.name,
    other_names: organization.alternate_name,
    description: organization.description.slice(0, maxSearchedLength),
    document: JSON.stringify(organization),
    summary: JSON.stringify(singleValues(organization)),
  }));
  await sql`
    insert into organizations as o (id, name, document, summary, search, updated_at)
    select id, name, document, summary, service_search(name, other_names, description, null), ${at}
    from json_to_recordset(${JSON.stringify(rowsToSave)}::json) as given(id text, name text, other_names text,
      description text, document text, summary text)
    on conflict (id) do update set name = excluded.name, document = excluded.document, summary = excluded.summary,
      search = excluded.search, updated_at = excluded.updated_at
    where o.document <> excluded.document`.execute(trx);
}

type WithTerms = Pick<ServiceRow, 'terms'>;

/** The taxonomies and the terms of a batch of services. */
export async function saveTaxonomies(trx: Trx, rows: readonly WithTerms[], at: Date): Promise<void> {
  await saveWholeTaxonomies(trx, taxonomiesOf(rows.flatMap((row) => row.terms)), at);
  await saveTerms(trx, rows, at);
}

export async function saveWholeTaxonomies(
  trx: Trx,
  taxonomies: readonly Taxonomy[],
  at: Date,
): Promise<void> {
  const rowsToSave = latestById(taxonomies).map(withDescription);
  await sql`
    insert into taxonomies as t (id, name, document, search, updated_at)
    select id, name, document, service_search(name, null, description, null), ${at}
    from unnest(${rowsToSave.map(({ id }) => id)}::text[], ${rowsToSave.map(({ name }) => name)}::text[],
      ${rowsToSave.map(({ description }) => description.slice(0, maxSearchedLength))}::text[],
      ${rowsToSave.map((each) => JSON.stringify(each))}::text[]) as given(id, name, description, document)
    on conflict (id) do update set name = excluded.name, document = excluded.document, search = excluded.search,
      updated_at = excluded.updated_at
    where t.document <> excluded.document`.execute(trx);
}

async function saveTerms(trx: Trx, rows: readonly WithTerms[], at: Date): Promise<void> {
  const terms = latestById(rows.flatMap((row) => row.terms)).map(withDescription);
  await sql`
    insert into taxonomy_terms as t (id, name, taxonomy_id, parent_id, document, search, updated_at)
    select id, name, taxonomy_id, parent_id, document, service_search(name, code, description, null), ${at}
    from unnest(${terms.map(({ id }) => id)}::text[], ${terms.map(({ name }) => name)}::text[],
      ${terms.map(taxonomyIdOf)}::text[], ${terms.map((each) => each.parent_id)}::text[],
      ${terms.map(({ code }) => code)}::text[],
      ${terms.map(({ description }) => description.slice(0, maxSearchedLength))}::text[],
      ${terms.map((each) => JSON.stringify(each))}::text[])
      as given(id, name, taxonomy_id, parent_id, code, description, document)
    on conflict (id) do update set name = excluded.name, taxonomy_id = excluded.taxonomy_id,
      parent_id = excluded.parent_id, document = excluded.document, search = excluded.search,
      updated_at = excluded.updated_at
    where t.document <> excluded.document`.execute(trx);
}

/** One row for each id, sorted by id, so that simultaneous imports lock rows in the same order. */
function latestById<T extends { id: string }>(things: readonly T[]): T[] {
  const byId = new Map(things.map((thing) => [thing.id, thing]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

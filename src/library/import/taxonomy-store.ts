import { sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';
import { latestById } from './latest-by-id.ts';
import {
  longestSearched,
  type ServiceRow,
  type Taxonomy,
  taxonomiesOf,
  taxonomyIdOf,
} from './service-row.ts';
import { described } from './single-values.ts';

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
  const given = latestById(taxonomies).map(described);
  await sql`
    /* prepared as save-taxonomies */ insert into taxonomies as t (id, name, document, search, updated_at)
    select id, name, document, service_search(name, null, description, null), ${at}
    from unnest(${given.map(({ id }) => id)}::text[], ${given.map(({ name }) => name)}::text[],
      ${given.map(({ description }) => description.slice(0, longestSearched))}::text[],
      ${given.map((each) => JSON.stringify(each))}::text[]) as given(id, name, description, document)
    on conflict (id) do update set name = excluded.name, document = excluded.document, search = excluded.search,
      updated_at = excluded.updated_at
    where t.document <> excluded.document`.execute(trx);
}

async function saveTerms(trx: Trx, rows: readonly WithTerms[], at: Date): Promise<void> {
  const terms = latestById(rows.flatMap((row) => row.terms)).map(described);
  await sql`
    /* prepared as save-taxonomy-terms */ insert into taxonomy_terms as t (id, name, taxonomy_id, parent_id, document, search, updated_at)
    select id, name, taxonomy_id, parent_id, document, service_search(name, code, description, null), ${at}
    from unnest(${terms.map(({ id }) => id)}::text[], ${terms.map(({ name }) => name)}::text[],
      ${terms.map(taxonomyIdOf)}::text[], ${terms.map((each) => each.parent_id)}::text[],
      ${terms.map(({ code }) => code)}::text[],
      ${terms.map(({ description }) => description.slice(0, longestSearched))}::text[],
      ${terms.map((each) => JSON.stringify(each))}::text[])
      as given(id, name, taxonomy_id, parent_id, code, description, document)
    on conflict (id) do update set name = excluded.name, taxonomy_id = excluded.taxonomy_id,
      parent_id = excluded.parent_id, document = excluded.document, search = excluded.search,
      updated_at = excluded.updated_at
    where t.document <> excluded.document`.execute(trx);
}

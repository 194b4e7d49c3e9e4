import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { namedListing } from '../search/named-store.ts';
import type { Listing } from '../search/search-listing.ts';
import type { Dated } from '../send-answer.ts';

export type TermFilters = {
  taxonomyId?: string | undefined;
  parentId?: string | undefined;
  topOnly?: boolean | undefined;
};

export function taxonomiesListing(db: Db): Listing {
  return namedListing(db, 'taxonomies', { table: 'taxonomies', where: [], content: sql`s.document` });
}

export function termsListing(db: Db, { taxonomyId, parentId, topOnly }: TermFilters): Listing {
  const where = [
    ...(taxonomyId === undefined ? [] : [sql`s.taxonomy_id = ${taxonomyId}`]),
    ...(parentId === undefined ? [] : [sql`s.parent_id = ${parentId}`]),
    ...(topOnly ? [isAtTop] : []),
  ];
  const key = JSON.stringify(['taxonomy_terms', taxonomyId, parentId, topOnly]);
  return namedListing(db, key, { table: 'taxonomy_terms', where, content: sql`s.document` });
}

/**
 * A term is there because a service has it, and what it is below may be no service's own: then nothing else would lead to
 * whoever goes through the terms from the top.
 */
const isAtTop = sql`not exists (select from taxonomy_terms above where above.id = s.parent_id and above.id <> s.id)`;

export async function findTaxonomyThing(
  db: Db,
  table: 'taxonomies' | 'taxonomy_terms',
  id: string,
): Promise<Dated | undefined> {
  if (id.includes('\0')) return undefined;
  const { rows } = await sql<Dated>`
    select document as content, updated_at as "updatedAt" from ${sql.table(table)} where id = ${id}`.execute(
    db,
  );
  return rows[0];
}

import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { DatedContent } from './etag.ts';

export function findTaxonomy(db: Db, id: string): Promise<DatedContent | undefined> {
  return findContent(db, 'taxonomies', id);
}

export function findTaxonomyTerm(db: Db, id: string): Promise<DatedContent | undefined> {
  return findContent(db, 'taxonomy_terms', id);
}

async function findContent(
  db: Db,
  table: 'taxonomies' | 'taxonomy_terms',
  id: string,
): Promise<DatedContent | undefined> {
  if (id.includes('\0')) return undefined;
  return db
    .selectFrom(table)
    .select(['document as content', 'updated_at as updatedAt'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export type UsedTerm = { id: string; name: string; taxonomy: string | null };

/** The terms that services have, by taxonomy and name: a list can be narrowed to each of them. */
export function listUsedTerms(db: Db): Promise<UsedTerm[]> {
  return db
    .selectFrom('taxonomy_terms as t')
    .leftJoin('taxonomies as x', 'x.id', 't.taxonomy_id')
    .select(['t.id', 't.name', 'x.name as taxonomy'])
    .where(sql<boolean>`exists (select from service_taxonomy_terms st where st.term_id = t.id)`)
    .orderBy(sql`x.name nulls last, plain_text(t.name) collate "C", t.id`)
    .execute();
}

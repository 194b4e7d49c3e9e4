import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { DatedContent } from './send-answer.ts';

export async function findTaxonomyThing(
  db: Db,
  table: 'taxonomies' | 'taxonomy_terms',
  id: string,
): Promise<DatedContent | undefined> {
  if (id.includes('\0')) return undefined;
  const { rows } = await sql<DatedContent>`
    select document as content, updated_at as "updatedAt" from ${sql.table(table)} where id = ${id}`.execute(
    db,
  );
  return rows[0];
}

export type UsedTerm = { id: string; name: string; taxonomy: string | null };

/** The terms that some service has, by taxonomy and name: what a list can be narrowed down to. */
export async function listUsedTerms(db: Db): Promise<UsedTerm[]> {
  const { rows } = await sql<UsedTerm>`
    select t.id, t.name, x.name as taxonomy
    from taxonomy_terms t left join taxonomies x on x.id = t.taxonomy_id
    where exists (select from service_taxonomy_terms st where st.term_id = t.id)
    order by x.name nulls last, plain_text(t.name) collate "C", t.id`.execute(db);
  return rows;
}

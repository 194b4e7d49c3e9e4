import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Dated } from '../send-answer.ts';

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

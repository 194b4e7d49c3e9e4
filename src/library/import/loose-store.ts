import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { LooseKind } from './loose.ts';

export const looseTables: Readonly<Record<LooseKind, string>> = {
  organization: 'organizations',
  taxonomy: 'taxonomies',
  taxonomy_term: 'taxonomy_terms',
};

/** What the library has under these ids, as JSON texts by id. */
export async function findLooseDocuments(
  db: Db,
  kind: LooseKind,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; document: string }>`
    select id, document from ${sql.table(looseTables[kind])} where id = any(${ids})`.execute(db);
  return new Map(rows.map(({ id, document }) => [id, document]));
}

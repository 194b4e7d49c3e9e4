import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { LooseKind } from '../import/loose.ts';
import { capacityMembers, withMembers } from '../search/members-store.ts';

export type Line = { id: string; document: string };

const document = withMembers(sql`d.document`, capacityMembers(sql`d.service_id`));

/** Services in full, whatever their status, in the order of their ids, with what was said last of their room. */
export async function findServiceLines(db: Db, after: string, limit: number): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select service_id as id, ${document} as document from service_documents d where service_id > ${after}
    order by service_id limit ${limit}`.execute(db);
  return rows;
}

/** What no service carries, so that no line of a service would bring it back. */
const unused = {
  organization: sql`
    organizations t where not exists (select from services s where s.organization_id = t.id)`,
  taxonomy: sql`
    taxonomies t where not exists (select from taxonomy_terms m where m.taxonomy_id = t.id)`,
  taxonomy_term: sql`
    taxonomy_terms t where not exists (select from service_taxonomy_terms st where st.term_id = t.id)`,
} as const satisfies Record<LooseKind, unknown>;

export async function findUnusedLines(
  db: Db,
  kind: LooseKind,
  after: string,
  limit: number,
): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select t.id, t.document from ${unused[kind]} and t.id > ${after} order by t.id limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** From here on, this transaction sees the library as it is now, whatever others change meanwhile. */
export async function fixView(trx: Db): Promise<void> {
  await sql`set transaction isolation level repeatable read, read only`.execute(trx);
}

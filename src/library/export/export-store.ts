import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { LooseKind } from '../import/loose.ts';
import { looseTables } from '../import/loose-store.ts';
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

/** What the library has of a kind, whether services carry it or not. */
export async function findLooseLines(db: Db, kind: LooseKind, after: string, limit: number): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select id, document from ${sql.table(looseTables[kind])} where id > ${after} order by id limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** From here on, this transaction sees the library as it is now, whatever others change meanwhile. */
export async function fixView(trx: Db): Promise<void> {
  await sql`set transaction isolation level repeatable read, read only`.execute(trx);
}

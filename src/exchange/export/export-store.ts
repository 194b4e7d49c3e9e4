import { sql } from 'kysely';
import { availabilityJsonSql, documentText, type StoredDocument } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { StandaloneKind } from '../import/model/record.ts';
import { standaloneTables } from '../import/store/library-versions-store.ts';

export type Line = { id: string; document: string };

/** Services in full, with any status, in the order of their ids, with their latest availability. */
export async function findServiceLines(db: Db, after: string, limit: number): Promise<Line[]> {
  const { rows } = await sql<StoredDocument & { id: string }>`
    select service_id as id, document, ${availabilityJsonSql(sql`service_documents.service_id`)} as service_capacity
    from service_documents where service_id > ${after}
    order by service_id limit ${limit}`.execute(db);
  return rows.map(({ id, ...row }) => ({ id, document: documentText(row) }));
}

/** Everything of a kind in the library, whether or not services use it. */
export async function findStandaloneLines(
  db: Db,
  kind: StandaloneKind,
  after: string,
  limit: number,
): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select id, document from ${sql.table(standaloneTables[kind])} where id > ${after} order by id limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** From this call on, the transaction sees the library as it is now, without later changes by others. */
export async function useSnapshot(trx: Db): Promise<void> {
  await sql`set transaction isolation level repeatable read, read only`.execute(trx);
}

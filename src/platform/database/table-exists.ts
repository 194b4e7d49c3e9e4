import { sql } from 'kysely';
import type { Db } from './connect.ts';

/** Whether the database has this table. It also answers for a database of an earlier version, or without any tables. */
export async function tableExists(db: Pick<Db, 'getExecutor'>, name: string): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass(${name}) is not null as exists`.execute(
    db,
  );
  return rows[0]!.exists;
}

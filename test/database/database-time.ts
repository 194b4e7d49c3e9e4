import { sql } from 'kysely';
import type { Db } from '../../src/platform/database/index.ts';

/** What time it is by the database. */
export async function timeOf(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]!.now;
}

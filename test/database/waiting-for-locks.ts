import { sql } from 'kysely';
import type { Db } from '../../src/platform/database/index.ts';

/** How many wait for a lock in this database: the server's others are those of other test files. */
export async function waitingForLocks(db: Db): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}

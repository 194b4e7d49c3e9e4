import { sql } from 'kysely';
import { connect, type Db } from '../../src/platform/database/index.ts';
import { createLog } from '../../src/platform/log/index.ts';

/** Ends every other connection to a database, as its server may, and makes a change in the same moment. */
export async function endConnections(url: string, change?: (db: Db) => Promise<unknown>): Promise<void> {
  // One connection, so that the change need not wait for a new one.
  const { db, close } = connect({ connectionString: url }, createLog('silent'), 1);
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
  await change?.(db);
  await close();
}

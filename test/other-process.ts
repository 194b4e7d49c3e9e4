import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database, Db } from '../src/platform/database/index.ts';
import { PreparingClient } from '../src/platform/database/preparing-client.ts';

/** A way to the same database of which this process knows nothing: what is changed there, another process changed. */
export function otherProcess({ connection }: Database): { db: Db; close(): Promise<void> } {
  const pool = new pg.Pool({ ...connection, Client: PreparingClient });
  // Its database is dropped right after it: a connection that is just being closed may hear of that.
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  return { db, close: () => db.destroy() };
}

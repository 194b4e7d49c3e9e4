import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { openAudit } from '../../src/audit/index.ts';
import { CheckedClient } from '../../src/platform/database/connect.ts';
import type { Database, Db } from '../../src/platform/database/index.ts';
import { createSecrets } from '../../src/platform/secrets/index.ts';

/** A connection to the same database that acts as another process: this process does not hear of its changes. */
export function otherProcess({ connection }: Database): { db: Db; close(): Promise<void> } {
  const pool = new pg.Pool({ ...connection, Client: CheckedClient });
  // Its database is dropped right after it: a connection that is just being closed may hear of that.
  pool.on('error', () => undefined);
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  openAudit(db, createSecrets(randomBytes(32)));
  return { db, close: () => db.destroy() };
}

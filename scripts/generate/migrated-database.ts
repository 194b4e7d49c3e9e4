import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { connect, migrate, openEmbeddedDatabase } from '../../src/platform/database/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { migrations } from '../../src/site/migrations.ts';

/** Runs a PostgreSQL of our own with today's tables and no rows, for as long as `use` needs it. */
export async function withMigratedDatabase<T>(use: (connection: pg.ClientConfig) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'onward-schema-'));
  const server = await openEmbeddedDatabase({ dataDir, purpose: 'site', settings: { fsync: 'off' } });
  const database = connect(server.connection, createLog('silent'));
  try {
    await migrate(database.db, database.pool, migrations);
    return await use(server.connection);
  } finally {
    await database.close();
    await server.release();
    await rm(dataDir, { recursive: true, force: true });
  }
}

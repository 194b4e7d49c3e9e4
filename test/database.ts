import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { connect, type Database } from '../src/platform/database/index.ts';
import { createLog } from '../src/platform/log/index.ts';

/** A database of its own for a test file: a copy of the migrated template, or one without tables. `close` drops it. */
export async function testDatabase(tables: 'all' | 'none' = 'all'): Promise<Database> {
  const { server, template } = inject('postgres');
  const name = `onward_test_${randomBytes(6).toString('hex')}`;
  const from = tables === 'all' ? template : 'template0';
  // Page by page through the log, as PostgreSQL does unless told, takes twice the time.
  await asAdmin(server, `create database ${name} template ${from} strategy file_copy`);
  const database = connect({ ...server, database: name }, createLog('silent'));
  return {
    ...database,
    async close() {
      await database.close();
      await asAdmin(server, `drop database ${name} with (force)`);
    },
  };
}

async function asAdmin(server: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

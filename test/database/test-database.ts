import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import { openAudit } from '../../src/audit/index.ts';
import {
  connect,
  type Database,
  inTransaction,
  migrate,
  type Trx,
} from '../../src/platform/database/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { createSecrets } from '../../src/platform/secrets/index.ts';
import { migrations } from '../../src/site/migrations.ts';

/** One for all, since each looks twice a second for what it has to write. */
const silent = createLog('silent');

/**
 * A database of its own for a test file: a copy of the migrated template, one without tables, or a copy of another that
 * nobody is connected to. `close` drops it.
 */
export async function testDatabase(tables: 'all' | 'none' | { copyOf: string } = 'all'): Promise<Database> {
  const { server, template, empty } = inject('postgres');
  const original = { all: template, none: empty };
  const name = `onward_test_${randomBytes(6).toString('hex')}`;
  // Page by page through the log, as PostgreSQL does by default, takes twice the time.
  await createDatabase(
    name,
    `${typeof tables === 'string' ? original[tables] : tables.copyOf} strategy file_copy`,
  );
  const database = connect({ ...server, database: name }, silent);
  // A site that has a key of its own gives it another signer.
  openAudit(database.db, createSecrets(randomBytes(32)));
  return {
    ...database,
    async close() {
      await database.close();
      await dropDatabase(name);
    },
  };
}

/** A database of today's tables that sorts as English does, as an outside server may. In it "a" comes before "B". */
export async function databaseSortedAsEnglish(): Promise<Database> {
  const name = `onward_test_${randomBytes(6).toString('hex')}`;
  await createDatabase(name, `template0 locale_provider icu icu_locale 'en-GB'`);
  const database = connect({ ...inject('postgres').superuser, database: name }, silent);
  openAudit(database.db, createSecrets(randomBytes(32)));
  await migrate(database.db, database.pool, migrations);
  return {
    ...database,
    async close() {
      await database.close();
      await dropDatabase(name);
    },
  };
}

/** An empty database of this name, for a process of its own; or a copy of another. */
export const createDatabase = (name: string, template = inject('postgres').empty) =>
  askSuperuser(`create database ${name} template ${template}`);
export const dropDatabase = (name: string) => askSuperuser(`drop database if exists ${name} with (force)`);

/** What a site's role may not do, such as keeping triggers from firing; for those who own the whole server. */
export async function asSuperuser<T>(
  { connection }: Database,
  changes: (trx: Trx) => Promise<T>,
): Promise<T> {
  const { superuser } = inject('postgres');
  const database = connect({ ...superuser, database: connection.database }, silent, 1);
  try {
    return await inTransaction(database.db, changes);
  } finally {
    await database.close();
  }
}

/** Changes what no site changes: without triggers, as somebody does who owns the database. */
export const tamper = (database: Database, changes: (trx: Trx) => Promise<unknown>) =>
  asSuperuser(database, async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await changes(trx);
  });

/** The address of a database of the run’s PostgreSQL, as ONWARD_DATABASE_URL takes it. */
export function urlOf(database: string): string {
  const { host = 'localhost', port, user, password } = inject('postgres').server;
  const url = new URL(`postgres://localhost:${port}/${database}`);
  url.username = user ?? '';
  url.password = String(password ?? '');
  // A socket's directory cannot stand where a host does.
  if (host.startsWith('/')) url.searchParams.set('host', host);
  else url.hostname = host;
  return url.href;
}

export async function askSuperuser(statement: string): Promise<void> {
  const client = new pg.Client(inject('postgres').superuser);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

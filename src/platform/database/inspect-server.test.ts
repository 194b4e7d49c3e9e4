import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endEmbedded, usedDirectory } from '../../../test/database/embedded-databases.ts';
import { lendingPooler, type Pooler, pgBouncer, strictPooler } from '../../../test/database/poolers.ts';
import { askSuperuser, testDatabase } from '../../../test/database/test-database.ts';
import { createLog } from '../log/index.ts';
import {
  clusterPath,
  connect,
  type Database,
  openEmbeddedDatabase,
  requireUsableServer,
  startNotices,
} from './index.ts';

const lends = 'lends a connection for one transaction or statement only';
const log = createLog('silent');

let database: Database;
let pooler: Pooler | undefined;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await pooler?.close();
  pooler = undefined;
  await database.close();
});
afterEach(endEmbedded);

/** The error message of a start through the pooler; undefined if the database can serve a site. */
async function refusal(): Promise<string | undefined> {
  const through = connect(pooler!.connection, log);
  try {
    await requireUsableServer(through.pool);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await through.close();
  }
}

describe('a pooler that refuses settings at the start', () => {
  it('opens connections with their timeouts, and hears notices', async () => {
    pooler = await strictPooler(database.connection);
    await expectToServe(pooler);
  });

  it('works with PgBouncer in session mode', async ({ skip }) => {
    pooler = await pgBouncer(database.connection, 'session');
    if (!pooler) return skip('pgbouncer is not installed');
    await expectToServe(pooler);
  });
});

describe('a pooler that lends sessions for a transaction', () => {
  it('is refused with advice', async () => {
    pooler = await lendingPooler(database.connection);
    expect(await refusal()).toContain(lends);
  });

  it.each(['transaction', 'statement'])('is refused as PgBouncer in %s mode', async (mode) => {
    pooler = await pgBouncer(database.connection, mode);
    if (pooler) expect(await refusal()).toContain(lends);
  });
});

describe('a database that takes no changes', () => {
  it('is refused', async () => {
    const { database: name } = database.connection;
    await askSuperuser(`alter database ${name} set default_transaction_read_only = on`);
    const again = connect(database.connection, log);
    await expect(requireUsableServer(again.pool)).rejects.toThrow('takes no changes');
    await again.close();
  });
});

describe('a database that confirms before its disk does', () => {
  it.each([
    ['off', 'synchronous_commit = off'],
    ['local', undefined],
    ['remote_write', undefined],
    ['on', undefined],
  ])('is refused only with synchronous_commit off (%s)', async (value, expected) => {
    const { database: name } = database.connection;
    await askSuperuser(`alter database ${name} set synchronous_commit = ${value}`);
    const again = connect(database.connection, log);
    const message = await requireUsableServer(again.pool).then(
      () => undefined,
      (error: Error) => error.message,
    );
    await again.close();
    if (expected === undefined) expect(message).toBeUndefined();
    else expect(message).toContain(expected);
  });
});

describe('a standby', () => {
  it('is refused as a standby', async () => {
    const dataDir = await usedDirectory();
    const settings = { fsync: 'off', wal_level: 'replica' };
    const start = () => openEmbeddedDatabase({ dataDir, purpose: 'command', settings });
    await (await start()).release();
    // It has no primary to follow, waits for one, and can be read meanwhile.
    await writeFile(join(clusterPath(dataDir), 'standby.signal'), '');
    const standby = await start();
    const { pool, close } = connect(standby.connection, log);
    await expect(requireUsableServer(pool)).rejects.toThrow('ONWARD_DATABASE_URL names a standby');
    await close();
    await standby.release();
  });
});

async function expectToServe({ connection }: Pooler): Promise<void> {
  expect(await refusal()).toBeUndefined();
  const through = connect(connection, log);
  const { rows } = await through.pool.query(
    `select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`,
  );
  expect(rows).toEqual([{ statement: '2min', idle: '2min' }]);
  const notices = await startNotices(through.connection, log);
  expect(notices.healthy()).toBe(true);
  await notices.stop();
  await through.close();
}

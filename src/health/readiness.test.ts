import { sql } from 'kysely';
import { afterAll, describe, expect, it, test } from 'vitest';
import { makeApp } from '../../test/app/make-app.ts';
import { smallDisk } from '../../test/database/small-disk.ts';
import { testDatabase } from '../../test/database/test-database.ts';
import { startNotices } from '../platform/database/index.ts';
import { followLibrary } from '../search/index.ts';
import { whyNotReady } from './readiness.ts';

const { deps, close } = await makeApp();
const disk = smallDisk(48 * 1024);
afterAll(async () => {
  disk.remove();
  await close();
});
const healthy = { workerIsHealthy: () => true, searchIndex: { isReady: () => true } };

test('a process whose database takes no changes is not ready', () =>
  deps.db.connection().execute(async (db) => {
    expect(await whyNotReady({ ...deps, ...healthy, db })).toBeUndefined();
    await sql`set default_transaction_read_only = on`.execute(db);
    expect(await whyNotReady({ ...deps, ...healthy, db })).toContain('takes no changes');
    await sql`reset default_transaction_read_only`.execute(db);
  }));

test.runIf(disk.isThere)('nor is one whose own PostgreSQL soon has no room to write', async () => {
  const settings = { ...deps.settings, databaseUrl: undefined, dataDir: disk.folder };
  const amiss = () => whyNotReady({ ...healthy, db: deps.db, settings });
  expect(await amiss()).toBeUndefined();
  disk.fill(16 * 2 ** 20);
  expect(await amiss()).toContain('full');
  disk.makeRoom();
  expect(await amiss()).toBeUndefined();
});

describe('a process whose search is still being read into memory', () => {
  it('is not ready until it is there', async () => {
    const { searchIndex, stop } = await aSearchIndex(30_000);
    const amiss = () => whyNotReady({ ...deps, ...healthy, searchIndex });
    expect(await amiss()).toContain('being read into memory');
    searchIndex.start();
    await expect.poll(amiss).toBeUndefined();
    await stop();
  });

  it('is ready all the same after as long as it may take', async () => {
    const { searchIndex, lock, stop } = await aSearchIndex(300);
    await lock();
    searchIndex.start();
    expect(searchIndex.isReady()).toBe(false);
    await expect.poll(searchIndex.isReady).toBe(true);
    await stop();
  });
});

/** The search index of another database, which another program can keep locked. */
async function aSearchIndex(fillMs: number) {
  const database = await testDatabase();
  const notices = await startNotices(database.connection, deps.log);
  const searchIndex = followLibrary(database.db, notices, { newsMs: 500, fillMs });
  const other = await database.pool.connect();
  return {
    searchIndex,
    lock: () => other.query('begin; lock table services, library_version in access exclusive mode'),
    async stop() {
      await other.query('rollback');
      other.release();
      await searchIndex.stop();
      await notices.stop();
      await database.close();
    },
  };
}

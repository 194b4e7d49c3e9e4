import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { makeApp } from '../../test/app/make-app.ts';
import { lockTables } from '../../test/database/locks.ts';
import { smallDisk } from '../../test/database/small-disk.ts';
import { testDatabase } from '../../test/database/test-database.ts';
import { type Db, startNotices } from '../platform/database/index.ts';
import { followLibrary } from '../search/index.ts';
import { whyNotReady } from './readiness.ts';

const { deps, close } = await makeApp();
const disk = smallDisk(48 * 1024);
afterAll(async () => {
  disk.remove();
  await close();
});
const healthy = { workerIsHealthy: () => true, libraryFollower: { isReady: () => true } };

/** Does the work with a connection that takes no changes, as a standby does. */
async function readOnly(db: Db, work: () => Promise<void>): Promise<void> {
  await sql`set default_transaction_read_only = on`.execute(db);
  await work();
  await sql`reset default_transaction_read_only`.execute(db);
}

describe('a process', () => {
  it('is not ready while its database is read-only', () =>
    deps.db.connection().execute(async (db) => {
      const reason = () => whyNotReady({ ...deps, ...healthy, db });
      expect(await reason()).toBeUndefined();
      await readOnly(db, async () => expect(await reason()).toContain('read-only'));
    }));

  it.runIf(disk.isThere)('is not ready while its PostgreSQL’s disk is nearly full', async () => {
    const settings = { ...deps.settings, databaseUrl: undefined, dataDir: disk.folder };
    const reason = () => whyNotReady({ ...healthy, db: deps.db, settings });
    expect(await reason()).toBeUndefined();
    disk.fill(16 * 2 ** 20);
    expect(await reason()).toContain('full');
    disk.makeRoom();
    expect(await reason()).toBeUndefined();
  });

  it('is not ready until the search index is filled', async () => {
    const { libraryFollower, stop } = await aSearchIndex(30_000);
    const reason = () => whyNotReady({ ...deps, ...healthy, libraryFollower });
    expect(await reason()).toContain('being read into memory');
    libraryFollower.start();
    await expect.poll(reason).toBeUndefined();
    await stop();
  });

  it('is ready after the time limit even with an unfilled index', async () => {
    const { libraryFollower, lock, stop } = await aSearchIndex(300);
    await lock();
    libraryFollower.start();
    expect(libraryFollower.isReady()).toBe(false);
    await expect.poll(libraryFollower.isReady).toBe(true);
    await stop();
  });
});

/** The search index of another database, which another program can keep locked. */
async function aSearchIndex(readyAfterMs: number) {
  const database = await testDatabase();
  const notices = await startNotices(database.connection, deps.log);
  const libraryFollower = followLibrary(database.db, notices, { followUpAfterMs: 500, readyAfterMs });
  let letGo = async () => {};
  return {
    libraryFollower,
    async lock(): Promise<void> {
      letGo = await lockTables(database.pool, 'services', 'library_version');
    },
    async stop() {
      await letGo();
      await libraryFollower.stop();
      await notices.stop();
      await database.close();
    },
  };
}

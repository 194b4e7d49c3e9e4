import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { makeApp } from '../../test/make-app.ts';
import { smallDisk } from '../../test/small-disk.ts';
import { whatIsAmiss } from './readiness.ts';

const { deps, close } = await makeApp();
const disk = smallDisk(48 * 1024);
afterAll(async () => {
  disk.remove();
  await close();
});
const workerIsHealthy = () => true;

test('a process whose database takes no changes is not ready', () =>
  deps.db.connection().execute(async (db) => {
    expect(await whatIsAmiss({ ...deps, db, workerIsHealthy })).toBeUndefined();
    await sql`set default_transaction_read_only = on`.execute(db);
    expect(await whatIsAmiss({ ...deps, db, workerIsHealthy })).toContain('takes no changes');
    await sql`reset default_transaction_read_only`.execute(db);
  }));

test.runIf(disk.isThere)('nor is one whose own PostgreSQL soon has no room to write', async () => {
  const settings = { ...deps.settings, databaseUrl: undefined, dataDir: disk.folder };
  const amiss = () => whatIsAmiss({ db: deps.db, settings, workerIsHealthy });
  expect(await amiss()).toBeUndefined();
  disk.fill(16 * 2 ** 20);
  expect(await amiss()).toContain('full');
  disk.makeRoom();
  expect(await amiss()).toBeUndefined();
});

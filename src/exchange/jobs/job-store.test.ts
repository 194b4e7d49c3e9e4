import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowVersion } from '../../../test/database/stored.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { storedImports } from '../../../test/library/stored.ts';
import { type Database, inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { insertImportJob, saveCountsAndFindStop, startImportJob, stopImportJob } from './job-store.ts';

const at = new Date('2026-11-21T09:30:00.000Z');
const job = {
  name: 'services.json',
  isFeed: false,
  sourceName: 'services.json',
  isComplete: false,
  dryRun: false,
  accountId: newId(0),
  startedBy: 'Asha',
};
let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

async function waitingJob(): Promise<string> {
  const id = newId(at.getTime());
  await inTransaction(database.db, (trx) => insertImportJob(trx, id, job, at));
  return id;
}

describe('an import job that is started', () => {
  it('is returned as running, with whether it was running before', async () => {
    const id = await waitingJob();
    expect(await startImportJob(database.db, id, at)).toMatchObject({ state: 'running', wasRunning: false });
    expect(await startImportJob(database.db, id, at)).toMatchObject({ state: 'running', wasRunning: true });
  });

  it('is not started once somebody stopped it', async () => {
    const id = await waitingJob();
    await inTransaction(database.db, (trx) => stopImportJob(trx, id, 'Asha', at));
    expect(await startImportJob(database.db, id, at)).toBeUndefined();
  });
});

describe('the counts of a running import', () => {
  const counts = {
    read: 1,
    created: 1,
    updated: 0,
    unchanged: 0,
    inactive: 0,
    rejected: 0,
    parts_left_out: 0,
  };

  it('are written when they change, and otherwise left', async () => {
    const id = await waitingJob();
    await startImportJob(database.db, id, at);
    const versions: string[] = [];
    for (const given of [counts, counts, undefined, { ...counts, read: 2 }]) {
      expect(await saveCountsAndFindStop(database.db, id, given)).toBeNull();
      versions.push(await rowVersion(database.db, 'library_imports', id));
    }
    expect(new Set(versions.slice(0, 3)).size).toBe(1);
    expect(versions[3]).not.toBe(versions[0]);
    const stored = (await storedImports(database.db)).find((each) => each.id === id);
    expect(stored).toMatchObject({ counts: { read: 2 } });
  });

  it('tell who wants the import stopped', async () => {
    const id = await waitingJob();
    await startImportJob(database.db, id, at);
    await inTransaction(database.db, (trx) => stopImportJob(trx, id, 'Asha', at));
    expect(await saveCountsAndFindStop(database.db, id, undefined)).toBe('Asha');
  });
});

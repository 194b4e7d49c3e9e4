import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manualClock } from '../../../../test/app/manual-clock.ts';
import { until } from '../../../../test/app/until.ts';
import { isRowLocked, lockRow, waitingForLocks } from '../../../../test/database/locks.ts';
import { databaseSortedAsEnglish } from '../../../../test/database/test-database.ts';
import { makeAllFull, setAvailability } from '../../../../test/library/stored.ts';
import { siteActor } from '../../../audit/index.ts';
import { lockForEdit } from '../../../library/index.ts';
import { type Database, type Db, inTransaction, type Trx } from '../../../platform/database/index.ts';
import { claimServicesOfFiles } from '../../feeds/feed-store.ts';
import { importServices } from '../import-services.ts';
import { findOrMakeSource, setSource } from './source-store.ts';

const ids = ['a', 'B'];
const feed = 'https://feed.example';
const clock = manualClock();
let database: Database;
let feedId: string;
beforeAll(async () => {
  database = await databaseSortedAsEnglish();
  const lines = ids.map((id) => JSON.stringify({ id, name: id, status: 'active' })).join('\n');
  await importServices({ db: database.db, clock }, siteActor, Readable.from([Buffer.from(lines)]), {
    source: 'services.json',
  });
  feedId = (await findOrMakeSource(database.db, { name: feed, isFeed: true, dryRun: false }, clock.now()))!;
  for (const id of ids) await setAvailability(database.db, id, { status: 'capacity' });
});
afterAll(() => database.close());

/** Does the work while another transaction holds something, and looks at what it holds meanwhile. */
async function meanwhile<T>(
  hold: (trx: Trx) => Promise<unknown>,
  work: (db: Db) => Promise<unknown>,
  look: () => Promise<T>,
): Promise<T> {
  const { db } = database;
  let working: Promise<unknown> = Promise.resolve();
  const seen = await inTransaction(db, async (trx) => {
    await hold(trx);
    working = work(db);
    await until(async () => (await waitingForLocks(db)) > 0);
    return look();
  });
  await working;
  return seen;
}

const holdService = (id: string) => (trx: Trx) => lockRow(trx, 'services', 'id', id);
const isLocked = (id: string) => isRowLocked(database.db, 'services', 'id', id);
const ways: [string, (db: Db) => Promise<unknown>][] = [
  ['claims what a file brought', (db) => inTransaction(db, (trx) => claimServicesOfFiles(trx, feed, ids))],
  [
    'stores a source',
    (db) =>
      inTransaction(db, (trx) =>
        setSource(
          trx,
          feedId,
          ids.map((id) => ({ id, sourceHash: '' })),
        ),
      ),
  ],
];

describe('in a database that sorts "a" before "B"', () => {
  it.each(ways)('an import that %s locks "B" before "a"', async (_, work) => {
    expect(await meanwhile(holdService('B'), work, () => isLocked('a'))).toBe(false);
  });

  it.each(ways)('an import that %s waits for an edit, with no row locked', async (_, work) => {
    const locked = await meanwhile(lockForEdit, work, () => Promise.all(ids.map(isLocked)));
    expect(locked).toEqual([false, false]);
  });

  it('a change of availability touches "B" before "a"', async () => {
    const { db } = database;
    const touched = await meanwhile(
      (trx) => lockRow(trx, 'service_touches', 'service_id', 'B'),
      () => makeAllFull(db),
      () => isRowLocked(db, 'service_touches', 'service_id', 'a'),
    );
    expect(touched).toBe(false);
  });
});

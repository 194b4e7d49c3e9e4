import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../test/app/until.ts';
import { waitingForLocks } from '../../../test/database/locks.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { type Database, holdLocks, inTransaction, type LockKind, lockSeeds, shareLocks } from './index.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase('none');
});
afterAll(() => database.close());

/** Takes locks in a transaction that goes on until it is told to end. */
async function taken(take: typeof holdLocks, kind: LockKind, names: readonly string[]) {
  const [took, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = inTransaction(database.db, async (trx) => {
    await take(trx, kind, names);
    took.resolve();
    await mayEnd.promise;
  });
  await Promise.race([took.promise, ended]);
  return () => {
    mayEnd.resolve();
    return ended;
  };
}

describe('a lock', () => {
  it('locks one kind of name, and no other kind', async () => {
    const kinds = Object.keys(lockSeeds) as LockKind[];
    const ends = await Promise.all(kinds.map((kind) => taken(holdLocks, kind, ['one name'])));
    expect(ends.length).toBeGreaterThan(4);
    for (const end of ends) await end();
  });

  it('is taken in one order by everybody who needs several', async () => {
    const end = await taken(holdLocks, 'death', ['b']);
    const both = [taken(holdLocks, 'death', ['c', 'b', 'a']), taken(holdLocks, 'death', ['a', 'b', 'c'])];
    await until(async () => (await waitingForLocks(database.db)) === 2);
    await end();
    const endFirst = await Promise.race(both);
    await endFirst();
    for (const each of both) await (await each)();
  });

  it('keeps out only those who want it alone, if it is shared', async () => {
    const ends = [await taken(shareLocks, 'death', ['a', 'b']), await taken(shareLocks, 'death', ['b', 'a'])];
    const alone = taken(holdLocks, 'death', ['b']);
    await until(async () => (await waitingForLocks(database.db)) === 1);
    for (const end of ends) await end();
    await (await alone)();
  });
});

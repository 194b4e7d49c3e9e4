import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { until } from '../../../test/app/until.ts';
import { timeOf } from '../../../test/database/database-time.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { startTcpProxy } from '../../../test/network/tcp-proxy.ts';
import { connect, type Database } from '../database/index.ts';
import { createLog } from '../log/index.ts';
import { type DatabaseClock, startDatabaseClock } from './database-clock.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
afterEach(() => vi.restoreAllMocks());

/** How far the clock is from the database's time, in milliseconds; an answer that took long on its way does not tell. */
async function errorOf(clock: DatabaseClock): Promise<number> {
  return database.db.connection().execute(async (db) => {
    for (;;) {
      const before = clock.now().getTime();
      const now = await timeOf(db);
      const after = clock.now().getTime();
      if (after - before < 50) return (before + after) / 2 - now.getTime();
    }
  });
}

/** It believes an answer that was on its way for a fifth of a second, and its error is half of that at most. */
const isRight = async (clock: DatabaseClock) => Math.abs(await errorOf(clock)) < 150;

describe('the database’s clock', () => {
  it('shows its own time, even after waiting for a connection', async () => {
    const narrow = connect(database.connection, createLog('silent'), 1);
    const busy = narrow.pool.query('select pg_sleep(0.5)');
    const clock = await startDatabaseClock(narrow.db);
    await busy;
    expect(await isRight(clock)).toBe(true);
    clock.stop();
    await narrow.close();
  });

  it('is right again soon after the machine has slept', async () => {
    const clock = await startDatabaseClock(database.db);
    pretendSleep(3_600_000);
    expect(await errorOf(clock)).toBeLessThan(-3_500_000);
    await until(() => isRight(clock));
    clock.stop();
  });

  it('ignores an answer that took long', async () => {
    const proxy = await startTcpProxy(database.connection);
    const slow = connect(proxy.connection, createLog('silent'));
    const clock = await startDatabaseClock(slow.db);
    proxy.setDelay(400);
    pretendSleep(2000);
    let measured = 0;
    slow.pool.on('release', () => {
      measured += 1;
    });
    await until(() => measured > 0);
    // As far off as before: 2 seconds, and not a fifth of a second.
    expect(await errorOf(clock)).toBeLessThan(-1500);
    proxy.setDelay(0);
    await until(() => isRight(clock));
    clock.stop();
    await slow.close();
    await proxy.close();
  });
});

/** In sleep the monotonic timer stands still while the wall's clock goes on. */
function pretendSleep(ms: number): void {
  const monotonic = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic() - ms);
}

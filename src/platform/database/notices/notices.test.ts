import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/app/until.ts';
import { testDatabase } from '../../../../test/database/test-database.ts';
import { startTcpProxy, type TcpProxy } from '../../../../test/network/tcp-proxy.ts';
import { createLog } from '../../log/index.ts';
import { connect, type Database, inTransaction, type Notices, notify, startNotices } from '../index.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

let proxy: TcpProxy;
let notices: Notices;
/** Whether it was healthy each time that it called for forgetting. */
let healthyAtGaps: boolean[];
beforeEach(async () => {
  proxy = await startTcpProxy(database.connection);
  notices = await startNotices(proxy.connection, createLog('silent'));
  healthyAtGaps = [];
  notices.onGap(() => void healthyAtGaps.push(notices.healthy()));
});
afterEach(async () => {
  await notices.stop();
  await proxy.close();
});

describe('a notice', () => {
  it('reaches all listeners of its topic at the commit', async () => {
    const other = await startNotices(database.connection, createLog('silent'));
    const heard: string[] = [];
    notices.on('account', (text) => void heard.push(`one ${text}`));
    other.on('account', (text) => void heard.push(`two ${text}`));
    const undone = inTransaction(database.db, async (trx) => {
      await notify(trx, 'account', 'lost');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await notify(database.db, 'nobody-listens', 'x');
    await inTransaction(database.db, (trx) => notify(trx, 'account', 'with several words'));
    await until(() => heard.length >= 2);
    expect(heard.sort()).toEqual(['one with several words', 'two with several words']);
    await other.stop();
  });
});

describe('the listening connection', () => {
  it('is unhealthy once broken, and forgets before it recovers', async () => {
    const heard: string[] = [];
    notices.on('account', (text) => void heard.push(text));
    proxy.setFate('break');
    const brokenAtMs = performance.now();
    await until(() => !notices.healthy());
    healthyAtGaps.length = 0;
    await notify(database.db, 'account', 'missed');
    await until(() => performance.now() - brokenAtMs > 1500);
    expect(notices.healthy()).toBe(false);
    // Pauses of 50, 100, 200, 400 and 800 ms, then a second each.
    expect(proxy.attempts()).toBeLessThan(7 + (performance.now() - brokenAtMs) / 1000);
    expect(healthyAtGaps).toEqual([]);
    proxy.setFate('pass');
    await until(() => notices.healthy());
    expectUnhealthyGaps();
    await notify(database.db, 'account', 'heard');
    await until(() => heard.length > 0);
    expect(heard).toEqual(['heard']);
  });

  it('is unhealthy soon when its line is cut without a word', async () => {
    proxy.setFate('vanish');
    await until(() => !notices.healthy());
    proxy.setFate('pass');
    await until(() => notices.healthy());
    expectUnhealthyGaps();
  });

  it('is replaced when LISTEN fails on it', async () => {
    proxy.setFate('break');
    await until(() => !notices.healthy());
    proxy.setFate({ vanishFrom: 'listen' });
    await until(() => proxy.attempts() > 1);
    proxy.setFate('pass');
    await until(() => notices.healthy());
    await until(async () => (await listeners()) === 1);
  });

  it('stops without waiting for a cut line', async () => {
    proxy.setFate('vanish');
    await notices.stop();
    expect(notices.healthy()).toBe(false);
  });
});

/** A busy machine that stands still for a moment may make another gap. */
function expectUnhealthyGaps(): void {
  expect(healthyAtGaps.length).toBeGreaterThan(0);
  expect(healthyAtGaps).not.toContain(true);
}

async function listeners(): Promise<number> {
  const { rows } = await database.pool.query(
    `select from pg_stat_activity where application_name = 'onward listener' and datname = current_database()`,
  );
  return rows.length;
}

describe('a database that vanishes without a word', () => {
  it('keeps no query waiting, and is used again when it is back', async () => {
    const silent = await startTcpProxy(database.connection);
    const pool = connect(silent.connection, createLog('silent'));
    const listening = await startNotices(silent.connection, createLog('silent'), {
      maxSilenceMs: 500,
      onSilence: pool.breakConnections,
    });
    expect((await pool.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    silent.setFate('vanish');
    // It would wait for a quarter of an hour.
    await expect(pool.pool.query('select 1')).rejects.toThrow('Connection terminated');
    silent.setFate('pass');
    await until(() => listening.healthy());
    expect((await pool.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await listening.stop();
    await pool.close();
    await silent.close();
  });
});

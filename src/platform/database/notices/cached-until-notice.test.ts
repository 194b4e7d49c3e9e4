import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/app/until.ts';
import { otherProcess } from '../../../../test/database/other-process.ts';
import { testDatabase } from '../../../../test/database/test-database.ts';
import { startTcpProxy, type TcpProxy } from '../../../../test/network/tcp-proxy.ts';
import { createLog } from '../../log/index.ts';
import {
  cachedUntilNotice,
  type Database,
  type Db,
  inTransaction,
  type Notices,
  notify,
  startNotices,
} from '../index.ts';

let database: Database;
let other: ReturnType<typeof otherProcess>;
beforeAll(async () => {
  database = await testDatabase('none');
  other = otherProcess(database);
  await sql`create table figure (value int not null)`.execute(database.db);
  await sql`insert into figure values (1)`.execute(database.db);
});
afterAll(async () => {
  await other.close();
  await database.close();
});

let proxy: TcpProxy;
let notices: Notices;
let questions: number;
let beforeAnswer: () => Promise<void>;
beforeEach(async () => {
  proxy = await startTcpProxy(database.connection);
  notices = await startNotices(proxy.connection, createLog('silent'));
  questions = 0;
  beforeAnswer = async () => undefined;
});
afterEach(async () => {
  await notices.stop();
  await proxy.close();
});

async function value(): Promise<number> {
  questions += 1;
  const { rows } = await sql<{ value: number }>`select value from figure`.execute(database.db);
  await beforeAnswer();
  return rows[0]!.value;
}

const change = (db: Db) =>
  inTransaction(db, async (trx) => {
    await sql`update figure set value = value + 1`.execute(trx);
    await notify(trx, 'figure', '');
  });

describe('an answer remembered until a notice', () => {
  it('is asked for once, and again after a change of this process', async () => {
    const figure = cachedUntilNotice(database.db, notices, 'figure', value);
    expect(figure.known()).toBeUndefined();
    const first = await figure.get();
    expect([figure.get(), figure.known(), questions]).toEqual([first, first, 1]);
    await sql`select count(*) from figure`.execute(database.db);
    expect(figure.known()).toBe(first);
    await change(database.db);
    expect(await figure.get()).toBe(first + 1);
    expect(questions).toBe(2);
  });

  it('is asked for again after a notice of its own topic alone', async () => {
    const figure = cachedUntilNotice(database.db, notices, 'figure', value);
    const first = await figure.get();
    await notify(other.db, 'anything', '');
    await change(other.db);
    await until(async () => (await figure.get()) === first + 1);
    expect(questions).toBe(2);
  });

  it('is not remembered if it was asked for before a change', async () => {
    const figure = cachedUntilNotice(database.db, notices, 'figure', value);
    beforeAnswer = () => change(database.db);
    const first = await figure.get();
    beforeAnswer = async () => undefined;
    expect(await figure.get()).toBe(first + 1);
  });

  it('is asked for each time while no notice can arrive', async () => {
    const figure = cachedUntilNotice(database.db, notices, 'figure', value);
    const first = await figure.get();
    proxy.setFate('break');
    await until(() => !notices.healthy());
    await change(other.db);
    expect(figure.known()).toBeUndefined();
    expect([await figure.get(), await figure.get(), questions]).toEqual([first + 1, first + 1, 3]);
    proxy.setFate('pass');
    await until(() => notices.healthy());
    expect(figure.known()).toBeUndefined();
    await figure.get();
    expect([figure.known(), questions]).toEqual([first + 1, 4]);
  });
});

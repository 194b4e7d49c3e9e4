import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { startTcpProxy, type TcpProxy } from '../../../test/tcp-proxy.ts';
import { until } from '../../../test/until.ts';
import type { Database } from '../database/index.ts';
import { bePresent } from './be-present.ts';

let database: Database;
let proxy: TcpProxy;
beforeAll(async () => {
  database = await testDatabase();
  proxy = await startTcpProxy(database.connection);
});
afterAll(async () => {
  await proxy.close();
  await database.close();
});

async function lockIsFree(name: string): Promise<boolean> {
  const { rows } = await database.pool.query(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free',
    [name],
  );
  return rows[0].free;
}

const sockets = () => process.getActiveResourcesInfo().filter((name) => /TCP|Pipe/.test(name)).length;

test('while the database is away there is one attempt at a time; then the lock is held again', async () => {
  const name = randomUUID();
  const presence = await bePresent(proxy.connection, name);
  expect(presence.held()).toBe(true);
  expect(await lockIsFree(name)).toBe(false);
  const socketsBefore = sockets();
  proxy.setFate('break');
  const away = performance.now();
  await until(() => !presence.held());
  await until(() => performance.now() - away > 3000 && proxy.attempts() > 2);
  // Pauses of 50, 100, 200, 400 and 800 ms, then a second each.
  expect(proxy.attempts()).toBeLessThan(7 + (performance.now() - away) / 1000);
  proxy.setFate('pass');
  await until(presence.held);
  expect(await lockIsFree(name)).toBe(false);
  expect(sockets()).toBeLessThanOrEqual(socketsBefore);
  await presence.end();
  await until(() => lockIsFree(name));
});

test('a start waits for a server that is slow to answer its first connection', async () => {
  proxy.setDelay(3000);
  const starting = bePresent(proxy.connection, randomUUID());
  await until(() => proxy.attempts() > 0);
  // What comes in the first moments is kept back, and nothing after that.
  setTimeout(() => proxy.setDelay(0), 1000);
  const presence = await starting;
  expect(presence.held()).toBe(true);
  await presence.end();
});

test('it waits, without piling up sessions, while the server takes an earlier session of its own for alive', async () => {
  const name = randomUUID();
  const earlier = await database.pool.connect();
  await earlier.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
  const starting = bePresent(database.connection, name);
  await until(async () => (await sessions()) === 1);
  await earlier.query('select pg_advisory_unlock_all()');
  earlier.release();
  const presence = await starting;
  expect(presence.held()).toBe(true);
  expect(await sessions()).toBe(1);
  await presence.end();
});

test('a database that is away at the end does not keep it from ending', async () => {
  const presence = await bePresent(proxy.connection, randomUUID());
  proxy.setFate('vanish');
  await presence.end();
  expect(presence.held()).toBe(false);
  proxy.setFate('pass');
});

async function sessions(): Promise<number> {
  const { rows } = await database.pool.query(
    `select 1 from pg_stat_activity where application_name = 'onward worker' and datname = current_database()`,
  );
  return rows.length;
}

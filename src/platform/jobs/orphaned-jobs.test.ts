import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdJobs, listJobs } from '../../../test/app/jobs.ts';
import { until } from '../../../test/app/until.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { startTcpProxy, type TcpProxy } from '../../../test/network/tcp-proxy.ts';
import { type Database, inTransaction, lockSeeds } from '../database/index.ts';
import { createLog } from '../log/index.ts';
import { addJobs } from './add-jobs.ts';
import { createOrphanCheck, holdWorkerLock, watchForOrphans } from './orphaned-jobs.ts';

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

describe('releasing the jobs of killed workers', () => {
  /** A job that a worker runs, whose lock nobody has taken. */
  async function startOrphanedJob() {
    const name = `job-${randomUUID()}`;
    await inTransaction(database.db, (trx) => addJobs(trx, name, [{}]));
    const { worker, end } = await holdJobs(database.pool, name);
    return { worker, end, runsIt: async () => (await listJobs(database.pool, { name }))[0]!.worker };
  }
  const orphanCheck = (ownName = 'own') => createOrphanCheck(database.db, ownName);

  it('takes them at the second check without the worker’s lock', async () => {
    const job = await startOrphanedJob();
    const check = orphanCheck();
    expect(await check()).toBe(false);
    expect(await job.runsIt()).toBe(job.worker);
    expect(await check()).toBe(true);
    expect(await job.runsIt()).toBeNull();
    await job.end();
  });

  it('leaves those of a live worker, however long they take', async () => {
    const job = await startOrphanedJob();
    const lock = await holdWorkerLock(database.connection, job.worker);
    const check = orphanCheck();
    for (const _ of [1, 2, 3]) expect(await check()).toBe(false);
    expect(await job.runsIt()).toBe(job.worker);
    await lock.end();
    await job.end();
  });

  it('is refused to a worker without a name of its own', async () => {
    const watching = watchForOrphans(database, {
      worker: '',
      log: createLog('silent'),
      onReleased: () => {},
    });
    await expect(watching).rejects.toThrow('no name');
  });

  it('leaves those of a worker that was cut off for a moment', async () => {
    const job = await startOrphanedJob();
    const check = orphanCheck();
    await check();
    const lock = await holdWorkerLock(database.connection, job.worker);
    await check();
    await lock.end();
    await check();
    expect(await job.runsIt()).toBe(job.worker);
    await job.end();
  });

  it('leaves the worker’s own jobs, even without its lock', async () => {
    const job = await startOrphanedJob();
    const check = orphanCheck(job.worker);
    for (const _ of [1, 2, 3]) expect(await check()).toBe(false);
    expect(await job.runsIt()).toBe(job.worker);
    await job.end();
  });
});

describe('a worker’s lock', () => {
  async function lockIsFree(name: string): Promise<boolean> {
    const { rows } = await database.pool.query(
      'select pg_try_advisory_xact_lock(hashtextextended($1, $2)) as free',
      [name, lockSeeds.worker],
    );
    return rows[0].free;
  }

  /** Holds the lock of a worker in a session of its own. @returns what releases it. */
  async function holdLock(name: string): Promise<() => Promise<void>> {
    const session = await database.pool.connect();
    await session.query('select pg_advisory_lock(hashtextextended($1, $2))', [name, lockSeeds.worker]);
    return async () => {
      await session.query('select pg_advisory_unlock_all()');
      session.release();
    };
  }

  const sockets = () => process.getActiveResourcesInfo().filter((name) => /TCP|Pipe/.test(name)).length;

  async function sessions(): Promise<number> {
    const { rows } = await database.pool.query(
      `select 1 from pg_stat_activity where application_name = 'onward worker' and datname = current_database()`,
    );
    return rows.length;
  }

  it('is taken again after an outage, one attempt at a time', async () => {
    const name = randomUUID();
    const lock = await holdWorkerLock(proxy.connection, name);
    expect(lock.isHeld()).toBe(true);
    expect(await lockIsFree(name)).toBe(false);
    const socketsBefore = sockets();
    proxy.setFate('break');
    const brokenAtMs = performance.now();
    await until(() => !lock.isHeld());
    await until(() => performance.now() - brokenAtMs > 3000 && proxy.attempts() > 2);
    // Pauses of 50, 100, 200, 400 and 800 ms, then a second each.
    expect(proxy.attempts()).toBeLessThan(7 + (performance.now() - brokenAtMs) / 1000);
    proxy.setFate('pass');
    await until(lock.isHeld);
    expect(await lockIsFree(name)).toBe(false);
    expect(sockets()).toBeLessThanOrEqual(socketsBefore);
    await lock.end();
    await until(() => lockIsFree(name));
  });

  it('is waited for if the first connection is slow to answer', async () => {
    proxy.setDelay(3000);
    const starting = holdWorkerLock(proxy.connection, randomUUID());
    await until(() => proxy.attempts() > 0);
    // What comes in the first moments is kept back, and nothing after that.
    setTimeout(() => proxy.setDelay(0), 1000);
    const lock = await starting;
    expect(lock.isHeld()).toBe(true);
    await lock.end();
  });

  it('is waited for in one session while a broken one holds it', async () => {
    const name = randomUUID();
    const release = await holdLock(name);
    const starting = holdWorkerLock(database.connection, name);
    await until(async () => (await sessions()) === 1);
    await release();
    const lock = await starting;
    expect(lock.isHeld()).toBe(true);
    expect(await sessions()).toBe(1);
    await lock.end();
  });

  it('is given up at the end, even without the database', async () => {
    const lock = await holdWorkerLock(proxy.connection, randomUUID());
    proxy.setFate('vanish');
    await lock.end();
    expect(lock.isHeld()).toBe(false);
    proxy.setFate('pass');
  });
});

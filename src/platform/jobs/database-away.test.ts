import { afterAll, beforeAll, describe, it } from 'vitest';
import { countJobs } from '../../../test/app/jobs.ts';
import { until } from '../../../test/app/until.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { startTcpProxy, type TcpProxy } from '../../../test/network/tcp-proxy.ts';
import { connect, type Database, inTransaction } from '../database/index.ts';
import { createLog } from '../log/index.ts';
import { addJobs, type JobHandlers, startWorker } from './index.ts';

let direct: Database;
let proxy: TcpProxy;
let database: Database;
beforeAll(async () => {
  direct = await testDatabase();
  proxy = await startTcpProxy(direct.connection);
  database = connect(proxy.connection, createLog('silent'));
});
afterAll(async () => {
  proxy.setFate('break');
  await database.close();
  await proxy.close();
  await direct.close();
});

const lines: string[] = [];
const log = createLog('warn', { write: (line) => void lines.push(line) });
const start = (handlers: JobHandlers) => {
  lines.length = 0;
  return startWorker({ database, handlers, schedule: [], log });
};
/** If the database came back sooner, the worker might still record it, and nothing would run again. */
const hasLoggedLostResult = () =>
  lines.some((line) => line.includes('could not record the results of its jobs'));
const add = (name: string) => inTransaction(direct.db, (trx) => addJobs(trx, name, [{}]));

describe('while the database is away', () => {
  it('reruns a job that was interrupted, without a restart', async () => {
    const goOn = Promise.withResolvers<void>();
    let calls = 0;
    const worker = await start({
      async travel() {
        calls += 1;
        await goOn.promise;
      },
    });
    await add('travel');
    await until(() => calls === 1);
    proxy.setFate('break');
    goOn.resolve();
    await until(() => !worker.healthy() && hasLoggedLostResult());
    proxy.setFate('pass');
    await until(() => worker.healthy());
    await until(() => calls === 2);
    await until(async () => (await countJobs(direct.pool)) === 0);
    await worker.stop();
  });

  it('lets no job that never ends hold up another', async () => {
    const goOn = Promise.withResolvers<void>();
    const calls = { travel: 0, wait: 0 };
    const worker = await start({
      async travel() {
        calls.travel += 1;
        await goOn.promise;
      },
      async wait() {
        calls.wait += 1;
        if (calls.wait === 1) await new Promise(() => undefined);
      },
    });
    await add('travel');
    await add('wait');
    await until(() => calls.travel === 1 && calls.wait === 1);
    proxy.setFate('break');
    goOn.resolve();
    await until(() => !worker.healthy() && hasLoggedLostResult());
    proxy.setFate('pass');
    await until(() => calls.travel === 2 && calls.wait === 2);
    await until(async () => (await countJobs(direct.pool)) === 0);
    await worker.stop();
  });

  for (const fate of ['break', 'vanish'] as const) {
    it(`a worker stops at once, without an error (${fate})`, async () => {
      const ownProxy = await startTcpProxy(direct.connection);
      const silent = createLog('silent');
      const ownDatabase = connect(ownProxy.connection, silent);
      let calls = 0;
      const handlers: JobHandlers = {
        async arrive() {
          calls += 1;
        },
      };
      const worker = await startWorker({ database: ownDatabase, handlers, schedule: [], log: silent });
      await inTransaction(direct.db, (trx) => addJobs(trx, 'arrive', [{}]));
      await until(() => calls === 1);
      ownProxy.setFate(fate);
      await worker.stop();
      ownProxy.setFate('break');
      await ownDatabase.close();
      await ownProxy.close();
    });
  }
});

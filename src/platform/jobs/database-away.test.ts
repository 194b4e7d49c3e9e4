import { afterAll, beforeAll, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { startTcpProxy, type TcpProxy } from '../../../test/tcp-proxy.ts';
import { until } from '../../../test/until.ts';
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

const said: string[] = [];
const log = createLog('warn', { write: (line) => void said.push(line) });
const start = (handlers: JobHandlers) => {
  said.length = 0;
  return startWorker({ database, handlers, schedule: [], log });
};
/** Sooner, the database may be back in time for it, and nothing would have to be run again. */
const couldNotWriteDown = () =>
  said.some((line) => line.includes('could not write down what became of its jobs'));
const add = (name: string) => inTransaction(direct.db, (trx) => addJobs(trx, name, [{}]));

test('a job that ends while the database is away ends no process, and is run again when it is back', async () => {
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
  await until(() => !worker.healthy() && couldNotWriteDown());
  proxy.setFate('pass');
  await until(() => worker.healthy());
  await until(() => calls === 2);
  await until(async () => (await jobsLeft()) === 0);
  await worker.stop();
});

test('a job that never ends keeps nobody from being run when the database is back, and is run again itself', async () => {
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
  await until(() => !worker.healthy() && couldNotWriteDown());
  proxy.setFate('pass');
  await until(() => calls.travel === 2 && calls.wait === 2);
  await until(async () => (await jobsLeft()) === 0);
  await worker.stop();
});

async function jobsLeft(): Promise<number> {
  const { rows } = await direct.pool.query('select from graphile_worker.jobs');
  return rows.length;
}

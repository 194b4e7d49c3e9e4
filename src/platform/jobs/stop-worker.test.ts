import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { until } from '../../../test/site-process.ts';
import { startTcpProxy, type TcpProxy } from '../../../test/tcp-proxy.ts';
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

const start = (handlers: JobHandlers) =>
  startWorker({ database, handlers, crontab: '', log: createLog('silent') });
const add = (name: string) => inTransaction(direct.db, (trx) => addJobs(trx, name, [{}]));

for (const fate of ['break', 'vanish'] as const) {
  test(`a worker stops in time and without a word where the database is away (${fate})`, async () => {
    let calls = 0;
    const worker = await start({
      async arrive() {
        calls += 1;
      },
    });
    await add('arrive');
    await until(() => calls === 1, 4000);
    proxy.setFate(fate);
    const before = performance.now();
    await worker.stop();
    expect(performance.now() - before).toBeLessThan(7500);
    proxy.setFate('pass');
  });
}

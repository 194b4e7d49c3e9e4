import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { until } from '../../../test/site-process.ts';
import { startTcpProxy } from '../../../test/tcp-proxy.ts';
import { connect, type Database, inTransaction } from '../database/index.ts';
import { createLog } from '../log/index.ts';
import { addJobs, type JobHandlers, startWorker } from './index.ts';

let direct: Database;
beforeAll(async () => {
  direct = await testDatabase();
});
afterAll(() => direct.close());

for (const fate of ['break', 'vanish'] as const) {
  test(`a worker stops in time and without a word where the database is away (${fate})`, async () => {
    const proxy = await startTcpProxy(direct.connection);
    const log = createLog('silent');
    const database = connect(proxy.connection, log);
    let calls = 0;
    const handlers: JobHandlers = {
      async arrive() {
        calls += 1;
      },
    };
    const worker = await startWorker({ database, handlers, schedule: [], log });
    await inTransaction(direct.db, (trx) => addJobs(trx, 'arrive', [{}]));
    await until(() => calls === 1, 8000);
    proxy.setFate(fate);
    const before = performance.now();
    await worker.stop();
    expect(performance.now() - before).toBeLessThan(7500);
    proxy.setFate('break');
    await database.close();
    await proxy.close();
  });
}

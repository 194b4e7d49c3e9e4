import { afterAll, beforeAll, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { startTcpProxy } from '../../../test/tcp-proxy.ts';
import { until } from '../../../test/until.ts';
import { connect, type Database, inTransaction } from '../database/index.ts';
import { createLog } from '../log/index.ts';
import { addJobs, type JobHandlers, startWorker } from './index.ts';

let direct: Database;
beforeAll(async () => {
  direct = await testDatabase();
});
afterAll(() => direct.close());

for (const fate of ['break', 'vanish'] as const) {
  test(`a worker stops without waiting, and without a word, where the database is away (${fate})`, async () => {
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
    await until(() => calls === 1);
    proxy.setFate(fate);
    await worker.stop();
    proxy.setFate('break');
    await database.close();
    await proxy.close();
  });
}

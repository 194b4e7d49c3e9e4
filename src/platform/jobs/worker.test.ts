import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listJobs, putOffJobs } from '../../../test/app/jobs.ts';
import { until } from '../../../test/app/until.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { environment } from '../../../test/process/site-process.ts';
import { type Database, inTransaction } from '../database/index.ts';
import { createLog } from '../log/index.ts';
import { addJobs, type JobHandlers, startWorker, type Worker } from './index.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const log = createLog('silent');
const start = (handlers: JobHandlers): Promise<Worker> =>
  startWorker({ database, handlers, schedule: [], log });
const jobsOf = (name: string) => listJobs(database.pool, { name });
const add = (name: string, ...payloads: object[]) =>
  inTransaction(database.db, (trx) => addJobs(trx, name, payloads));

describe('a job', () => {
  it('runs if and only if its transaction commits', async () => {
    const seen: unknown[] = [];
    const worker = await start({
      note: async (payload) => void seen.push(payload),
    });
    const undone = inTransaction(database.db, async (trx) => {
      await addJobs(trx, 'note', [{ number: 1 }]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await add('note', { number: 2 }, { number: 3 });
    await until(() => seen.length >= 2);
    expect(seen).toHaveLength(2);
    expect(seen).toEqual(expect.arrayContaining([{ number: 2 }, { number: 3 }]));
    // The queue records a moment later that a job is done.
    await until(async () => (await jobsOf('note')).length === 0);
    expect(worker.healthy()).toBe(true);
    await worker.stop();
    expect(worker.healthy()).toBe(false);
  });

  it('is tried again if it fails', async () => {
    let calls = 0;
    const worker = await start({
      async stumble() {
        calls += 1;
        if (calls === 1) throw new Error('the first time');
      },
    });
    await add('stumble', {});
    await until(() => calls === 1);
    await until(async () => (await jobsOf('stumble'))[0]?.isRunning === false);
    await putOffJobs(database.pool, 0);
    await until(() => calls === 2);
    await until(async () => (await jobsOf('stumble')).length === 0);
    await worker.stop();
  });

  it('is run by the next process if its own is killed', async () => {
    await add('outlive', { receiver: 'somebody else' });
    const killed = runElsewhere('outlive');
    await until(async () => (await jobsOf('outlive'))[0]?.isRunning === true);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    let calls = 0;
    const worker = await start({
      async outlive() {
        calls += 1;
      },
    });
    await until(() => calls === 1);
    await until(async () => (await jobsOf('outlive')).length === 0);
    await worker.stop();
    expect(calls).toBe(1);
  });
});

/** A process of its own that takes such a job and never comes to its end. */
function runElsewhere(job: string) {
  const { host, port, user, password, database: name } = database.connection;
  const program = `
    import { connect } from './database/index.ts';
    import { createLog } from './log/index.ts';
    import { startWorker } from './jobs/index.ts';
    const log = createLog('silent');
    const database = connect(${JSON.stringify({ host, port, user, password, database: name })}, log);
    await startWorker({ database, log, schedule: [], handlers: { ${job}: () => new Promise(() => setInterval(() => {}, 1000)) } });`;
  return spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    cwd: join(import.meta.dirname, '..'),
    env: environment(),
    stdio: 'inherit',
  });
}

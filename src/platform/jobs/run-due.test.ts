import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { until } from '../../../test/until.ts';
import type { Database } from '../database/index.ts';
import { createLog } from '../log/index.ts';
import { startWorker } from './index.ts';
import { runDue } from './run-due.ts';

const day = 86_400_000;
let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
afterEach(() => vi.restoreAllMocks());

const every = (job: string, everyMinutes: number, atMinute = 0) => [
  { job, everyMinutes, atMinute, maxAttempts: 3 },
];

/** As if its last turn had been so much later (or earlier, if below zero) than it was. */
async function moveTurn(job: string, by: string): Promise<void> {
  await database.pool.query(
    'update graphile_worker._private_known_crontabs set last_execution = last_execution + $2::interval where identifier = $1',
    [job, by],
  );
}

async function turnOf(job: string): Promise<Date> {
  const { rows } = await database.pool.query(
    'select last_execution as at from graphile_worker._private_known_crontabs where identifier = $1',
    [job],
  );
  return rows[0].at;
}

/** The jobs of this name that are there; they are taken away. */
async function takeJobs(job: string): Promise<number> {
  const { rows } = await database.pool.query(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
     where t.id = j.task_id and t.identifier = $1 returning j.run_at <= now() as due`,
    [job],
  );
  return rows.filter(({ due }) => due).length;
}

test('what is due is added once, by whichever process looks first, and made up for once when it was missed', async () => {
  const schedule = every('count', 24 * 60, 143);
  await runDue(database.db, schedule);
  expect(await takeJobs('count')).toBe(0);
  const turn = await turnOf('count');
  expect(turn.toISOString()).toMatch(/T02:23:00.000Z$/);
  await moveTurn('count', '-5 days');
  await Promise.all(Array.from({ length: 8 }, () => runDue(database.db, schedule)));
  expect(await takeJobs('count')).toBe(1);
  expect(await turnOf('count')).toEqual(turn);
  await runDue(database.db, schedule);
  expect(await takeJobs('count')).toBe(0);
});

test('a job that speaks to somebody else’s system says so to the queue', async () => {
  const schedule = every('ask', 60).map((each) => ({ ...each, receiver: 'the exchange' }));
  await runDue(database.db, schedule);
  await moveTurn('ask', '-1 hour');
  await runDue(database.db, schedule);
  const { rows } = await database.pool.query('select payload, flags from graphile_worker._private_jobs');
  const flags = { outside: true, 'to the exchange': true };
  expect(rows).toEqual([{ payload: { receiver: 'the exchange' }, flags }]);
  expect(await takeJobs('ask')).toBe(1);
});

test('a turn that was taken while the database’s clock was ahead keeps nobody from the next one', async () => {
  const schedule = every('ahead', 60);
  await runDue(database.db, schedule);
  await moveTurn('ahead', '1 day');
  await runDue(database.db, schedule);
  expect(await takeJobs('ahead')).toBe(1);
  // Another process may have looked a moment later than this one.
  await moveTurn('ahead', '1 minute');
  await runDue(database.db, schedule);
  expect(await takeJobs('ahead')).toBe(0);
});

test.each([
  day,
  -day,
])('a machine whose clock is wrong by %d ms does what is due as others do', async (ms) => {
  const job = ms > 0 ? 'tick' : 'tock';
  const schedule = every(job, 60);
  await runDue(database.db, schedule);
  await moveTurn(job, '-1 hour');
  const now = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ms);
  let calls = 0;
  const handlers = {
    [job]: async () => {
      calls += 1;
    },
  };
  const worker = await startWorker({ database, handlers, schedule, log: createLog('silent') });
  await until(() => calls === 1);
  await worker.stop();
  expect((await turnOf(job)).getTime()).toBeLessThanOrEqual(now());
});

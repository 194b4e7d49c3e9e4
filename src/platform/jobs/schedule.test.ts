import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { up as createJobTurns } from '../../../migrations/before-baseline/0046-job-turns.ts';
import { listJobs, takeJobs } from '../../../test/app/jobs.ts';
import { until } from '../../../test/app/until.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import type { Database } from '../database/index.ts';
import { createLog } from '../log/index.ts';
import { startWorker } from './index.ts';
import { addDueJobs } from './schedule.ts';

const day = 86_400_000;
let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
afterEach(() => vi.restoreAllMocks());

const every = (name: string, everyMinutes: number, offsetMinutes = 0) => [
  { name, everyMinutes, offsetMinutes, maxAttempts: 3 },
];

/** As if it had been added for a time that was this much later; earlier, if below zero. */
async function moveDueTime(job: string, by: string): Promise<void> {
  await database.pool.query('update job_turns set last_turn = last_turn + $2::interval where job = $1', [
    job,
    by,
  ]);
}

async function dueTimeOf(job: string): Promise<Date> {
  const row = database.db.selectFrom('job_turns').select('last_turn').where('job', '=', job);
  return (await row.executeTakeFirstOrThrow()).last_turn;
}

/** As an earlier version had left its schedule, a day before a job was last due. */
async function takeBackToCrontab(job: string): Promise<void> {
  await database.pool.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     select job, last_turn, last_turn - interval '1 day' from job_turns where job = $1`,
    [job],
  );
  await database.pool.query('drop table job_turns');
}

/** Takes the jobs of this name that are due. @returns how many there were. */
const takeDue = async (name: string) => (await takeJobs(database.pool, { name, isDue: true })).length;

describe('the schedule', () => {
  it('adds a due job once for all, even after missed times', async () => {
    const schedule = every('count', 24 * 60, 143);
    await addDueJobs(database.db, schedule);
    expect(await takeDue('count')).toBe(0);
    const dueTime = await dueTimeOf('count');
    expect(dueTime.toISOString()).toMatch(/T02:23:00.000Z$/);
    await moveDueTime('count', '-5 days');
    await Promise.all(Array.from({ length: 8 }, () => addDueJobs(database.db, schedule)));
    expect(await takeDue('count')).toBe(1);
    expect(await dueTimeOf('count')).toEqual(dueTime);
    await addDueJobs(database.db, schedule);
    expect(await takeDue('count')).toBe(0);
  });

  it('says in the queue which system a job calls', async () => {
    const schedule = every('ask', 60).map((each) => ({ ...each, system: 'the exchange' }));
    await addDueJobs(database.db, schedule);
    await moveDueTime('ask', '-1 hour');
    await addDueJobs(database.db, schedule);
    expect((await listJobs(database.pool)).map(({ flags }) => flags)).toEqual([
      ['outside', 'to the exchange'],
    ]);
    const payload = { receiver: 'the exchange' };
    expect(await takeJobs(database.pool, { isDue: true })).toEqual([{ name: 'ask', payload }]);
  });

  it('adds the next one although an earlier clock was ahead', async () => {
    const schedule = every('ahead', 60);
    await addDueJobs(database.db, schedule);
    await moveDueTime('ahead', '1 day');
    await addDueJobs(database.db, schedule);
    expect(await takeDue('ahead')).toBe(1);
    // Another process may have looked a moment later than this one.
    await moveDueTime('ahead', '1 minute');
    await addDueJobs(database.db, schedule);
    expect(await takeDue('ahead')).toBe(0);
  });

  it.each([day, -day])('adds due jobs although the machine’s clock is wrong by %d ms', async (ms) => {
    const job = ms > 0 ? 'tick' : 'tock';
    const schedule = every(job, 60);
    await addDueJobs(database.db, schedule);
    await moveDueTime(job, '-1 hour');
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
    expect((await dueTimeOf(job)).getTime()).toBeLessThanOrEqual(now());
  });

  it('adds what a site of an earlier version missed, once', async () => {
    const { db } = database;
    const schedule = every('early', 24 * 60);
    await addDueJobs(db, schedule);
    await takeBackToCrontab('early');
    await createJobTurns(db as never);
    await Promise.all([1, 2, 3].map(() => addDueJobs(db, schedule)));
    expect(await takeDue('early')).toBe(1);
    await addDueJobs(db, schedule);
    expect(await takeDue('early')).toBe(0);
  });
});

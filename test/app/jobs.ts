import { EventEmitter } from 'node:events';
import { Logger, run, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import { until } from './until.ts';

// What tests see of the queue, and do to it, goes through its public view and functions, as the site's own code does.

export type StoredJob = {
  id: number;
  name: string;
  key: string | null;
  flags: string[];
  /** Seconds until it runs. */
  pause: number;
  isRunning: boolean;
  /** The worker that runs it. */
  worker: string | null;
  isGivenUp: boolean;
};

/** Which jobs: all, or those of a name, about something with this id, under a key, or that are due now. */
type JobFilter = { name?: string; about?: string; key?: string; isDue?: boolean };

type Queryable = Pick<pg.Pool, 'query'>;

export async function listJobs(pool: Queryable, filter: JobFilter = {}): Promise<StoredJob[]> {
  const { name, about, key, isDue } = filter;
  const { rows } = await pool.query(
    `select id, task_identifier as name, key, extract(epoch from run_at - now())::float8 as pause,
       array(select jsonb_object_keys(flags) order by 1) as flags, locked_at is not null as "isRunning",
       locked_by as worker, locked_at is null and attempts >= max_attempts as "isGivenUp"
     from graphile_worker.jobs
     where ($1::text is null or task_identifier = $1) and ($2::text is null or flags ? ('about ' || $2))
       and ($3::text is null or key = $3) and ($4::boolean is null or (run_at <= now()) = $4)
     order by id`,
    [name ?? null, about ?? null, key ?? null, isDue ?? null],
  );
  return rows;
}

export async function countJobs(pool: Queryable, filter: JobFilter = {}): Promise<number> {
  return (await listJobs(pool, filter)).length;
}

/** Takes the jobs that nobody runs out of the queue. @returns their names and payloads, the oldest first. */
export async function takeJobs(
  pool: Queryable,
  filter: JobFilter = {},
): Promise<{ name: string; payload: any }[]> {
  const jobs = await listJobs(pool, filter);
  const { rows } = await pool.query('select id, payload from graphile_worker.complete_jobs($1::bigint[])', [
    jobs.map(({ id }) => id),
  ]);
  const payloads = new Map(rows.map(({ id, payload }) => [id, payload]));
  return jobs.flatMap(({ id, name }) => (payloads.has(id) ? [{ name, payload: payloads.get(id) }] : []));
}

/** The payloads of the jobs that nobody runs. The queue's view leaves them out, and its functions return them. */
export async function readPayloads(pool: Queryable, filter: JobFilter = {}): Promise<any[]> {
  const ids = (await listJobs(pool, filter)).map(({ id }) => id);
  const { rows } = await pool.query('select payload from graphile_worker.reschedule_jobs($1::bigint[])', [
    ids,
  ]);
  return rows.map(({ payload }) => payload);
}

/** Moves the start of the waiting jobs to this many seconds from now. A negative number makes them overdue. */
export async function putOffJobs(pool: Queryable, inSeconds: number, filter: JobFilter = {}): Promise<void> {
  const ids = (await listJobs(pool, filter)).map(({ id }) => id);
  await pool.query(
    `select from graphile_worker.reschedule_jobs($1::bigint[], run_at => now() + $2 * interval '1 second')`,
    [ids, inSeconds],
  );
}

/** The next attempt of each of the jobs is its last. */
export async function limitAttempts(pool: Queryable, filter: JobFilter = {}): Promise<void> {
  const ids = (await listJobs(pool, filter)).map(({ id }) => id);
  await pool.query(
    'select from graphile_worker.reschedule_jobs($1::bigint[], attempts => 0, max_attempts => 1)',
    [ids],
  );
}

/** As if each of the jobs had failed as often as it may. */
export async function giveUpJobs(pool: Queryable, filter: JobFilter = {}): Promise<void> {
  const ids = (await listJobs(pool, filter)).map(({ id }) => id);
  await pool.query(`select from graphile_worker.permanently_fail_jobs($1::bigint[], 'given up')`, [ids]);
}

/** Adds a job as a version did that had neither flags nor receivers. */
export async function addOldJob(
  pool: Queryable,
  name: string,
  payload: object,
  key: string | null = null,
): Promise<void> {
  await pool.query('select from graphile_worker.add_job($1, $2, job_key => $3)', [
    name,
    JSON.stringify(payload),
    key,
  ]);
}

/** Adds a job to a queue of this name. @returns the id of the queue, which tells an existing queue from a new one. */
export async function addJobToQueue(pool: Queryable, name: string, queue: string): Promise<number> {
  const { rows } = await pool.query(
    'select job_queue_id as id from graphile_worker.add_job($1, queue_name => $2)',
    [name, queue],
  );
  return rows[0].id;
}

/** A worker without a lock of its own that runs the waiting jobs of a name, until they are told how to end. */
export async function holdJobs(pool: pg.Pool, name: string) {
  const events = new EventEmitter() as WorkerEvents;
  let worker = '';
  events.once('pool:create', ({ workerPool }) => {
    worker = workerPool.id;
  });
  const ending = Promise.withResolvers<void>();
  ending.promise.catch(() => undefined);
  const runner = await run({
    pgPool: pool,
    events,
    taskList: { [name]: () => ending.promise },
    parsedCronItems: [],
    noHandleSignals: true,
    concurrency: 3,
    // It runs only the jobs that are due now.
    pollInterval: 3_600_000,
    logger: new Logger(() => () => undefined),
  });
  await until(async () => (await listJobs(pool, { name })).every(({ isRunning }) => isRunning));
  return {
    worker,
    async end(outcome: 'done' | 'failed' = 'done') {
      if (outcome === 'done') ending.resolve();
      else ending.reject(new Error('it failed'));
      await runner.stop();
      // The worker may stop just before it has stored a failure, and what runs cannot be put off.
      if (outcome === 'failed')
        await until(async () => (await listJobs(pool, { name })).every(({ isRunning }) => !isRunning));
    },
  };
}

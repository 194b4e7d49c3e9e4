import { sql } from 'kysely';
import type { Trx } from '../database/index.ts';
import { flagsOf } from './flags.ts';

/**
 * More than any handler uses. Handlers count their own attempts and record when they give up. If the queue gave up
 * first, the work would never be done.
 */
const maxAttempts = 200;

/**
 * Adds a job for each payload, in the transaction that makes the jobs necessary: they run if and only if it commits.
 * A payload may name the system that its job calls (`receiver`), and say that the job is `lasting` (see slots.ts).
 * @param inSeconds when they run; left out, at once
 * @param isFirst they run before other jobs that are due
 */
export async function addJobs(
  trx: Trx,
  name: string,
  payloads: readonly object[],
  { inSeconds, isFirst = false }: { inSeconds?: number; isFirst?: boolean } = {},
): Promise<void> {
  const runAt = inSeconds === undefined ? sql`null` : sql`now() + ${inSeconds}::int * interval '1 second'`;
  const jobs = payloads.map((payload) => ({ payload, flags: flagsOf(payload) }));
  await sql`
    select from graphile_worker.add_jobs((
      select array_agg((${name}, payload, null, ${runAt}, ${maxAttempts}::smallint, null,
        ${priorityOf(isFirst)}::smallint, flags)::graphile_worker.job_spec)
      from json_to_recordset(${JSON.stringify(jobs)}::json) as job(payload json, flags text[])))`.execute(
    trx,
  );
}

export type KeyedJob = {
  /** There is one waiting job with this key: adding it again replaces it. */
  key: string;
  inSeconds: number;
  /** Makes the pause longer or shorter at random, by up to this share, so that jobs which failed together run apart. */
  jitter?: number;
  /** Jobs of one queue run one after the other, even in different processes. */
  queue?: string;
  isFirst?: boolean;
};

/** The queue runs lower numbers first; all other jobs have 0. */
const priorityOf = (isFirst: boolean) => (isFirst ? -1 : 0);

/** Adds a job under a key, or replaces the one that waits under it, with its payload and time. */
export async function addKeyedJob(
  trx: Trx,
  name: string,
  payload: object,
  { key, inSeconds, jitter = 0, queue, isFirst = false }: KeyedJob,
): Promise<void> {
  // Nothing secret depends on it, so it needs no secure randomness.
  const pauseSeconds = inSeconds * (1 + jitter * (2 * Math.random() - 1));
  await sql`
    select from graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, queue_name => ${queue ?? null},
      run_at => now() + ${pauseSeconds}::float8 * interval '1 second', max_attempts => ${maxAttempts}::int,
      job_key => ${key}, priority => ${priorityOf(isFirst)}::int, flags => ${flagsOf(payload)}::text[])`.execute(
    trx,
  );
}

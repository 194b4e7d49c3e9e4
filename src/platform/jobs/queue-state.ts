import { type RawBuilder, sql } from 'kysely';
import type { Database, Db, Trx } from '../database/index.ts';
import { subjectPrefix, systemPrefix } from './flags.ts';
import { workerConnectionName } from './orphaned-jobs.ts';

// Everything here goes through the public view and functions of graphile-worker.

const isWaitingSql = sql`(locked_at is null and attempts < max_attempts)`;
const willRunSql = sql`(locked_at is not null or attempts < max_attempts)`;
const isGivenUpSql = sql`(locked_at is null and attempts >= max_attempts)`;

export type JobCounts = { name: string; waiting: number; running: number; givenUp: number };

/** How many jobs of each name wait, run, or were given up by the queue. */
export async function countJobs(db: Db): Promise<JobCounts[]> {
  const { rows } = await sql<JobCounts>`
    select task_identifier as name,
      count(*) filter (where ${isWaitingSql})::int as waiting,
      count(*) filter (where locked_at is not null)::int as running,
      count(*) filter (where ${isGivenUpSql})::int as "givenUp"
    from graphile_worker.jobs group by task_identifier order by task_identifier`.execute(db);
  return rows;
}

/** Whether a process of this site runs jobs now. */
export async function isWorkerRunning(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isRunning: boolean }>`
    select exists (select from pg_stat_activity
      where datname = current_database() and application_name = ${workerConnectionName}) as "isRunning"`.execute(
    db,
  );
  return rows[0]!.isRunning;
}

export type StuckJobs = {
  /** Whether a process of this site runs jobs now. */
  workerIsRunning: boolean;
  /** Jobs that should have begun ten minutes ago, by the system they call: how many, and since when the oldest has waited. */
  overdue: { system: string | null; count: number; since: Date }[];
  /** How many jobs the queue has given up, and their names. */
  givenUp: number;
  givenUpNames: string[];
};

export async function findStuckJobs(db: Db): Promise<StuckJobs> {
  const { rows } = await sql<Pick<StuckJobs, 'givenUp' | 'givenUpNames'>>`
    select count(*)::int as "givenUp", coalesce(array_agg(distinct task_identifier), '{}') as "givenUpNames"
    from graphile_worker.jobs where ${isGivenUpSql}`.execute(db);
  return { ...rows[0]!, workerIsRunning: await isWorkerRunning(db), overdue: await findOverdueJobs(db) };
}

async function findOverdueJobs(db: Db): Promise<StuckJobs['overdue']> {
  const { rows } = await sql<StuckJobs['overdue'][number]>`
    select system, count(*)::int as count, min(run_at) as since
    from graphile_worker.jobs left join lateral (
      select substr(flag, ${systemPrefix.length + 1}::int) as system
      from jsonb_object_keys(flags) as flag where starts_with(flag, ${systemPrefix})) as called on true
    where ${isWaitingSql} and run_at < now() - interval '10 minutes'
    group by system order by since`.execute(db);
  return rows;
}

export type GivenUpJob = { id: string; name: string; attempts: number };

/** The jobs that the queue has given up, oldest first. */
export async function listGivenUpJobs(db: Db, limit: number): Promise<GivenUpJob[]> {
  const { rows } = await sql<GivenUpJob>`
    select id::text as id, task_identifier as name, attempts from graphile_worker.jobs
    where ${isGivenUpSql} order by jobs.id limit ${limit}`.execute(db);
  return rows;
}

/** Runs a job again that the queue gave up. Its attempts are counted from zero. */
export async function retryGivenUpJob(trx: Trx, id: string): Promise<void> {
  await sql`
    select from graphile_worker.reschedule_jobs(array[${id}]::bigint[], run_at => now(), attempts => 0)`.execute(
    trx,
  );
}

export async function discardGivenUpJob(trx: Trx, id: string): Promise<void> {
  await sql`
    select from graphile_worker.complete_jobs(array(
      select jobs.id from graphile_worker.jobs where jobs.id = ${id} and ${isGivenUpSql}))`.execute(trx);
}

type JobSearch = {
  /** The names of the jobs that count. */
  names: readonly string[];
  /** The thing's id, as text. */
  id: RawBuilder<string>;
  /** The key that a job about it may have. */
  key: RawBuilder<string>;
  /** A job that begins later than this does not count. */
  dueWithin: string;
};

/**
 * SQL that is true if a job about this thing is running or due. Jobs that an earlier version of Onward added have no subject among
 * their flags. Most have a key instead. If one has neither, it may be about anything, so this is true for everything while it waits.
 */
export function mayHaveJobSql({ names, id, key, dueWithin }: JobSearch): RawBuilder<boolean> {
  const jobs = sql`
    select key, array(select flag from jsonb_object_keys(flags) as flag where starts_with(flag, ${subjectPrefix})) as subjects
    from graphile_worker.jobs
    where task_identifier = any(${names}) and ${willRunSql}
      and (locked_at is not null or run_at < now() + ${dueWithin}::interval)`;
  return sql<boolean>`(
    ${id} in (select substr(subject, ${subjectPrefix.length + 1}::int) from (${jobs}) as j, unnest(subjects) as subject)
    or ${key} in (select key from (${jobs}) as j where key is not null)
    or exists (select from (${jobs}) as j where key is null and subjects = '{}'))`;
}

/**
 * Deletes the names of queues that have no job. graphile-worker never deletes a name, and goes through all of them
 * whenever it picks a job. Do not add a job to a queue at the same moment: it would never run.
 */
export async function deleteUnusedQueues(pool: Database['pool']): Promise<void> {
  const { Logger, makeWorkerUtils } = await import('graphile-worker');
  const utils = await makeWorkerUtils({ pgPool: pool, logger: new Logger(() => () => undefined) });
  try {
    await utils.cleanup({ tasks: ['GC_JOB_QUEUES'] });
  } finally {
    await utils.release();
  }
}

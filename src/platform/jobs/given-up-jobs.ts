import { sql } from 'kysely';
import type { Db, Trx } from '../database/index.ts';

const isGivenUp = sql`attempts >= max_attempts and locked_at is null`;

export type GivenUpJob = { id: string; job: string; tries: number };

/** Jobs that the queue has given up, oldest first. */
export async function listGivenUpJobs(db: Db, limit: number): Promise<GivenUpJob[]> {
  const { rows } = await sql<GivenUpJob>`
    select id::text as id, task_identifier as job, attempts as tries from graphile_worker.jobs
    where ${isGivenUp} order by jobs.id limit ${limit}`.execute(db);
  return rows;
}

/** Begins a job that was given up again, as if it were new. @returns whether there was one. */
export async function tryJobAgain(trx: Trx, id: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    select from graphile_worker.reschedule_jobs(array[${id}]::bigint[], run_at => ${at}, attempts => 0)`.execute(
    trx,
  );
  return rows.length > 0;
}

/** Takes a job that was given up out of the queue. */
export async function forgetJob(trx: Trx, id: string): Promise<void> {
  await sql`
    select from graphile_worker.complete_jobs(array(
      select jobs.id from graphile_worker.jobs where jobs.id = ${id} and ${isGivenUp}))`.execute(trx);
}

import { sql } from 'kysely';
import type { Trx } from '../database/index.ts';

/**
 * More than any handler uses. Handlers count for themselves, and write down that they gave up; a job that ended
 * before its handler did would leave what it was for waiting for ever.
 */
export const mostAttempts = 200;

/**
 * Adds a job for each payload, in one statement, in the transaction that makes them true: they run if and only if it
 * commits, so nothing is done for a change that was rolled back, and no change goes without its jobs.
 * `test/rules` sees to it that `worker.ts` has a handler for every name.
 */
export async function addJobs(trx: Trx, name: string, payloads: readonly object[]): Promise<void> {
  await sql`
    select from graphile_worker.add_jobs((
      select array_agg((${name}, payload, null, null, ${mostAttempts}::smallint, null, null, null)::graphile_worker.job_spec)
      from json_array_elements(${JSON.stringify(payloads)}::json) as payload))`.execute(trx);
}

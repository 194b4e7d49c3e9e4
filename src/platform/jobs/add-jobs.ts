import { sql } from 'kysely';
import type { Trx } from '../database/index.ts';
import { flagsOf } from './flags-of.ts';

/**
 * More than any handler uses. Handlers count for themselves, and write down that they gave up; a job that ended
 * before its handler did would leave what it was for waiting for ever.
 */
export const mostAttempts = 200;

/**
 * Adds a job for each payload, in one statement, in the transaction that makes them true: they run if and only if it
 * commits, so nothing is done for a change that was rolled back, and no change goes without its jobs. A job that speaks to
 * somebody else's system has in its payload's `receiver` to which one, and one that may take minutes `lasting` (see lanes.ts).
 * `test/rules` sees to it that `worker.ts` has a handler for every name.
 */
export async function addJobs(trx: Trx, name: string, payloads: readonly object[]): Promise<void> {
  const jobs = payloads.map((payload) => ({ payload, flags: flagsOf(payload) }));
  await sql`
    select from graphile_worker.add_jobs((
      select array_agg((${name}, payload, null, null, ${mostAttempts}::smallint, null, null, flags)::graphile_worker.job_spec)
      from json_to_recordset(${JSON.stringify(jobs)}::json) as job(payload json, flags text[])))`.execute(
    trx,
  );
}

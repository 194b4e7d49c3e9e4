import { sql } from 'kysely';
import type { Trx } from '../platform/database/index.ts';

/**
 * More than `deliver` ever uses (it gives up by its own count, and says so): a job that ended first would leave its
 * delivery queued for ever.
 */
const mostAttempts = 200;

/** Adds a job for each payload in one statement, in the transaction that makes them true; see platform/jobs/add-job.ts. */
export async function addJobs(trx: Trx, name: string, payloads: readonly object[]): Promise<void> {
  await sql`
    select from graphile_worker.add_jobs((
      select array_agg((${name}, payload, null, null, ${mostAttempts}::smallint, null, null, null)::graphile_worker.job_spec)
      from json_array_elements(${JSON.stringify(payloads)}::json) as payload))`.execute(trx);
}

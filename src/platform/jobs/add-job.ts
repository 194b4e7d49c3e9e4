import { sql } from 'kysely';
import type { Trx } from '../database/index.ts';

export type JobOptions = {
  /** Not before this moment; at once when left out. */
  runAt?: Date;
  /** A job with the same key that has not run yet is replaced by this one. */
  key?: string;
  /** How often it is tried before it counts as failed for good. */
  maxAttempts?: number;
};

/**
 * Adds a job in the transaction that makes it true: it runs if and only if that transaction commits, so nothing is
 * done for a change that was rolled back, and no change goes without its job.
 * `test/rules` sees to it that `worker.ts` has a handler for every name.
 */
export async function addJob(
  trx: Trx,
  name: string,
  payload: object,
  options: JobOptions = {},
): Promise<void> {
  await sql`
    select from graphile_worker.add_job(
      identifier => ${name}, payload => ${JSON.stringify(payload)}::json, run_at => ${options.runAt ?? null},
      job_key => ${options.key ?? null}, max_attempts => ${options.maxAttempts ?? 25})`.execute(trx);
}

import { sql } from 'kysely';
import type { Trx } from '../database/index.ts';
import { mostAttempts } from './add-jobs.ts';
import { flagsOf } from './flags-of.ts';

/**
 * Adds a job under a key, or moves the one that waits under it: there is one, also when whoever adds it is killed before
 * its end and runs again. Jobs of one `queue` run one after the other, in whichever process.
 */
export async function addKeyedJob(
  trx: Trx,
  name: string,
  payload: object,
  { key, inSeconds, queue }: { key: string; inSeconds: number; queue?: string },
): Promise<void> {
  await sql`
    select from graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, queue_name => ${queue ?? null},
      run_at => now() + ${inSeconds}::float8 * interval '1 second', max_attempts => ${mostAttempts}::int,
      job_key => ${key}, flags => ${flagsOf(payload)}::text[])`.execute(trx);
}

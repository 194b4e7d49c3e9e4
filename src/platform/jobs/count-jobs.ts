import { sql } from 'kysely';
import type { Db } from '../database/index.ts';

/** How many jobs of each name wait for their time or a worker, are being run, or were given up by the queue. */
export async function countJobs(
  db: Db,
): Promise<{ job: string; waiting: number; running: number; failed: number }[]> {
  const { rows } = await sql<{ job: string; waiting: number; running: number; failed: number }>`
    select task_identifier as job,
      count(*) filter (where locked_at is null and attempts < max_attempts)::int as waiting,
      count(*) filter (where locked_at is not null)::int as running,
      count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed
    from graphile_worker.jobs group by task_identifier order by task_identifier`.execute(db);
  return rows;
}

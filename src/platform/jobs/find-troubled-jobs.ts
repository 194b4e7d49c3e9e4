import { sql } from 'kysely';
import type { Db } from '../database/index.ts';

export type TroubledJobs = {
  /** How many should have begun some minutes ago, and since when the oldest waits. */
  overdue: number;
  overdueSince: Date | null;
  /** How many were given up, and their names. */
  failed: number;
  failedNames: string[];
};

/** Jobs that nobody runs, and jobs that the queue has given up. */
export async function findTroubledJobs(db: Db): Promise<TroubledJobs> {
  const { rows } = await sql<TroubledJobs>`
    select count(*) filter (where overdue)::int as overdue, min(run_at) filter (where overdue) as "overdueSince",
      count(*) filter (where failed)::int as failed,
      coalesce(array_agg(distinct task_identifier) filter (where failed), '{}') as "failedNames"
    from (
      select run_at, task_identifier, attempts >= max_attempts and locked_at is null as failed,
        attempts < max_attempts and locked_at is null and run_at < now() - interval '10 minutes' as overdue
      from graphile_worker.jobs) as jobs`.execute(db);
  return rows[0]!;
}

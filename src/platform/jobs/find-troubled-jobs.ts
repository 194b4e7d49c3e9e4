import { sql } from 'kysely';
import type { Db } from '../database/index.ts';
import { workerConnection } from './be-present.ts';
import { receiverPrefix } from './flags-of.ts';

export type TroubledJobs = {
  /** Whether a process works off jobs now. */
  attended: boolean;
  /** Those that should have begun some minutes ago, by whom they speak to: how many, and since when the oldest waits. */
  overdue: { receiver: string | null; count: number; since: Date }[];
  /** How many were given up, and their names. */
  failed: number;
  failedNames: string[];
};

/** Jobs that nobody runs, or that wait for somebody else's system; and jobs that the queue has given up. */
export async function findTroubledJobs(db: Db): Promise<TroubledJobs> {
  const { rows } = await sql<Omit<TroubledJobs, 'overdue'>>`
    select
      exists (select from pg_stat_activity
        where datname = current_database() and application_name = ${workerConnection}) as attended,
      count(*)::int as failed, coalesce(array_agg(distinct task_identifier), '{}') as "failedNames"
    from graphile_worker.jobs where attempts >= max_attempts and locked_at is null`.execute(db);
  return { ...rows[0]!, overdue: await findOverdueJobs(db) };
}

async function findOverdueJobs(db: Db): Promise<TroubledJobs['overdue']> {
  const { rows } = await sql<TroubledJobs['overdue'][number]>`
    select receiver, count(*)::int as count, min(run_at) as since
    from graphile_worker.jobs left join lateral (
      select substr(flag, ${receiverPrefix.length + 1}::int) as receiver
      from jsonb_object_keys(flags) as flag where starts_with(flag, ${receiverPrefix})) as spoken_to on true
    where attempts < max_attempts and locked_at is null and run_at < now() - interval '10 minutes'
    group by receiver order by since`.execute(db);
  return rows;
}

import type { Database } from '../database/index.ts';

/**
 * Deletes the names of queues that have no job. graphile-worker keeps each name for ever, and goes through all of them
 * whenever it picks a job. A job must not be added to a queue at the same moment: it would never run.
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

import { holdTaskLock, inTransaction } from '../../platform/database/index.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { Platform } from '../../platform/platform.ts';
import { queueDeliveries } from '../model/deliver-jobs.ts';
import { listWithoutJob } from './jobs-store.ts';

/**
 * The `restore-delivery-jobs` job: gives a new job to every delivery that has lost its own. A duplicate job does no harm,
 * but nobody would notice a delivery without a job.
 */
export async function restoreDeliveryJobs({ db, clock, log }: Platform): Promise<void> {
  await inTransaction(db, async (trx) => {
    await holdTaskLock(trx, 'restore-delivery-jobs');
    const ids = await listWithoutJob(trx, new Date(clock.now().getTime() - minuteMs));
    if (ids.length === 0) return;
    log.warn({ deliveries: ids }, 'deliveries without a job get a new one');
    await queueDeliveries(trx, ids);
  });
}

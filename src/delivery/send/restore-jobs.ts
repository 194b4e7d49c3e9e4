import { holdName, inTransaction } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { listWithoutJob } from './jobs-store.ts';

const minute = 60_000;

/**
 * The `tend-deliveries` job: gives a new job to every delivery that waits for one in vain, for whatever reason its own
 * was lost. A job too many does no harm; a delivery that nobody comes back to would never be noticed.
 */
export async function restoreDeliveryJobs({ db, clock, log }: Platform): Promise<void> {
  await inTransaction(db, async (trx) => {
    await holdName(trx, 'tend-deliveries');
    const forsaken = await listWithoutJob(trx, new Date(clock.now().getTime() - minute));
    if (forsaken.length === 0) return;
    log.warn({ deliveries: forsaken }, 'deliveries without a job get a new one');
    await addJobs(
      trx,
      'deliver',
      forsaken.map((id) => ({ delivery_id: id })),
    );
  });
}

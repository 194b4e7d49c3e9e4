import type { Trx } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';

/** `receiver` names the system that is called, where it is known, so that a slow one does not hold up the others. */
export type DeliverJob = { delivery_id: string; receiver?: string | undefined };

/** Adds a job for each delivery to be sent, where the caller knows which system it calls. */
export async function addDeliverJobs(trx: Trx, jobs: readonly DeliverJob[]): Promise<void> {
  if (jobs.length > 0) await addJobs(trx, 'deliver', jobs);
}

/**
 * Adds the job that makes prompts, after a delivery was refused for a cause that the referrer can check. It reads the cause from
 * the delivery, and prompts them.
 */
export async function addPromptUpdateJob(trx: Trx): Promise<void> {
  await addJobs(trx, 'update-prompts', [{}]);
}

/** Adds a job for each of these deliveries. The job finds out which system it calls. */
export async function queueDeliveries(trx: Trx, ids: readonly string[]): Promise<void> {
  await addDeliverJobs(
    trx,
    ids.map((id) => ({ delivery_id: id })),
  );
}

import type { Trx } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';

/** `receiver` names the system that is called, where it is known, so that a slow one does not hold up the others. */
export type DeliverJob = { delivery_id: string; receiver?: string | undefined };

/** Adds a job for each delivery to be sent. */
export async function addDeliverJobs(trx: Trx, jobs: readonly DeliverJob[]): Promise<void> {
  if (jobs.length > 0) await addJobs(trx, 'deliver', jobs);
}

/** A refusal has a cause that the referrer can check. The job reads it from the delivery, and tells them. */
export async function promptReferrer(trx: Trx): Promise<void> {
  await addJobs(trx, 'update-prompts', [{}]);
}

/** Sends these deliveries. The job finds out which system it calls. */
export async function sendDeliveries(trx: Trx, ids: readonly string[]): Promise<void> {
  await addDeliverJobs(
    trx,
    ids.map((id) => ({ delivery_id: id })),
  );
}

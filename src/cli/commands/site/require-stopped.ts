import type { Trx } from '../../../platform/database/index.ts';
import { isWorkerRunning } from '../../../platform/jobs/index.ts';
import { StartupError } from '../../../platform/process/startup-error.ts';

/**
 * For a change of what a running site keeps in memory. A process that starts now waits for this transaction to end
 * (`requireSameIdentity`).
 */
export async function requireStopped(trx: Trx): Promise<void> {
  if (await isWorkerRunning(trx)) throw new StartupError('The site runs. Stop all of its processes first.');
}

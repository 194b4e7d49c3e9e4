import type { Trx } from '../../../platform/database/index.ts';
import { isWorkerRunning } from '../../../platform/jobs/index.ts';
import { StartupError } from '../../../platform/process/startup-error.ts';

/**
 * Refuses while the site runs, for a change of what its processes hold in memory. A process that starts meanwhile waits for this
 * transaction to end (`requireSameIdentity`). @throws StartupError
 */
export async function requireStopped(trx: Trx): Promise<void> {
  if (await isWorkerRunning(trx)) throw new StartupError('The site runs. Stop all of its processes first.');
}

import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../../startup-error.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { isServerOf } from './process-identity.ts';

const POLL_MS = 5;

/** A PostgreSQL may take this long to stop; recovery after a crash, in contrast, is waited for as long as it lives. */
const STOPPING_MS = 60_000;

export type RunningServer = { pid: number; host: string; port: number };

/**
 * The PostgreSQL that runs on this cluster and takes connections, or undefined where none runs.
 * One that is starting is waited for, one that is stopping is waited out.
 */
export async function findRunningServer(cluster: string): Promise<RunningServer | undefined> {
  const giveUpAt = performance.now() + STOPPING_MS;
  for (;;) {
    const file = await readPostmasterFile(cluster);
    if (file === undefined || !(await isServerOf(file.pid, cluster))) return undefined;
    if (file.status === 'ready') {
      return { pid: file.pid, host: file.listenAddress === '' ? cluster : '127.0.0.1', port: file.port };
    }
    if (file.status === 'stopping' && performance.now() > giveUpAt) {
      throw new StartupError(
        `The PostgreSQL on ${cluster} (process ${file.pid}) has been stopping for ${STOPPING_MS / 1000} s. ` +
          'Wait until it is gone, or end it, and start again.',
      );
    }
    await delay(POLL_MS);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { StartupError } from '../../startup-error.ts';
import { callLock, lockHolder } from './advisory-locks.ts';
import { isAlive } from './process-identity.ts';

/** A killed site's connection takes a moment to vanish; a live site is never waited for. */
const DEAD_HOLDER_MS = 2_000;
const RETRY_MS = 20;

/** What a process calls its connection, so that a refused site can say who is in its way. */
export function connectionName(use: 'site' | 'command'): string {
  return `onward ${use} ${process.pid}`;
}

/**
 * Makes this connection's process the one site of the directory.
 * Throws a `StartupError` that names the other site's process when there is one.
 */
export async function claimSite(client: pg.Client, dataDir: string): Promise<void> {
  const giveUpAt = performance.now() + DEAD_HOLDER_MS;
  while (!(await callLock(client, 'pg_try_advisory_lock', 'site'))) {
    const holder = processIn(await lockHolder(client, 'site'));
    const holderLives = holder !== undefined && (await isAlive(holder));
    if (holderLives || performance.now() > giveUpAt) {
      throw new StartupError(
        `Another Onward site${holder === undefined ? '' : ` (process ${holder})`} is running on ${dataDir}. ` +
          'Stop it first, or give this site a directory of its own, for example ONWARD_DATA_DIR=/var/lib/onward-2.',
      );
    }
    await delay(RETRY_MS);
  }
}

function processIn(name: string | undefined): number | undefined {
  const digits = /^onward site (\d+)$/.exec(name ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

import { readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../../startup-error.ts';
import { SOCKET_PORT } from './connection.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { isAlive, isServerOf } from './process-identity.ts';

/** PostgreSQL fills its lock file within milliseconds of making it. */
const EMPTY_MS = 5_000;

const DYING_MS = 2_000;
const POLL_MS = 20;

const SOCKET = `.s.PGSQL.${SOCKET_PORT}`;

/**
 * Removes the lock files that PostgreSQL itself would refuse to start on for ever: those of a dead PostgreSQL whose
 * process number a stranger has now (common in containers, where numbers are small), and empty ones, from a full disk
 * or a power cut. Files of processes that are gone are left alone, since PostgreSQL replaces those. It also still checks
 * the dead one's shared memory afterwards, so a survivor of it is not overlooked.
 *
 * For the process whose turn it is to start PostgreSQL: nobody else makes such a file meanwhile.
 * Throws a `StartupError` when something answers on the socket all the same: that PostgreSQL runs where its process
 * number cannot be seen, in another container, and a second one beside it would destroy the data.
 */
export async function clearStaleLocks(cluster: string): Promise<void> {
  if (await unseenServerRuns(cluster)) {
    throw new StartupError(
      `A PostgreSQL that this process cannot see, perhaps in another container, is running on ${cluster}. ` +
        'Stop it, or name another directory in ONWARD_DATA_DIR.',
    );
  }
  for (const name of ['postmaster.pid', `${SOCKET}.lock`]) {
    const path = join(cluster, name);
    if (await isStale(path, cluster)) await rm(path, { force: true });
  }
}

/** Asked for a while, since a PostgreSQL that is being killed still answers when its process can no longer be seen. */
async function unseenServerRuns(cluster: string): Promise<boolean> {
  const giveUpAt = performance.now() + DYING_MS;
  while (await answers(join(cluster, SOCKET))) {
    const file = await readPostmasterFile(cluster);
    if (file === undefined || (await isServerOf(file.pid, cluster))) return false;
    if (performance.now() > giveUpAt) return true;
    await delay(POLL_MS);
  }
  return false;
}

async function isStale(lock: string, cluster: string): Promise<boolean> {
  const text = await readFile(lock, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  if (text === '') {
    const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
    return Date.now() - mtimeMs > EMPTY_MS;
  }
  const owner = Math.abs(Number.parseInt(text, 10));
  return owner > 0 && (await isAlive(owner)) && !(await isServerOf(owner, cluster));
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

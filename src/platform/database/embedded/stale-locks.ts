import { readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../../startup-error.ts';
import { socketPort } from './connection.ts';
import { isAlive, isServerOf, readPostmasterFile } from './running-server.ts';

/** PostgreSQL fills its lock file within milliseconds, so one that stays empty for this long is stale. */
const emptyForMs = 5_000;

const maxDyingMs = 2_000;
const pollEveryMs = 20;

const socketName = `.s.PGSQL.${socketPort}`;

/**
 * Removes the lock files on which PostgreSQL would always refuse to start: those of a dead PostgreSQL whose process
 * number another program has now (common in containers, where numbers are small), and empty ones, left by a full disk or
 * a power cut. Other files of dead processes stay, since PostgreSQL replaces them. PostgreSQL still checks shared memory
 * afterwards, so it notices if a process of the dead one has survived.
 *
 * Only the process whose turn it is to start PostgreSQL may call this: no other makes such a file meanwhile.
 * @throws StartupError where something answers on the socket all the same. That PostgreSQL runs where we cannot see its
 * process, perhaps in another container, and a second one beside it would destroy the data.
 */
export async function clearStaleLocks(cluster: string): Promise<void> {
  if (await unseenServerRuns(cluster)) {
    throw new StartupError(
      `A PostgreSQL that this process cannot see, perhaps in another container, is running on ${cluster}. ` +
        'Stop it, or name another directory in ONWARD_DATA_DIR.',
    );
  }
  for (const name of ['postmaster.pid', `${socketName}.lock`]) {
    const path = join(cluster, name);
    if (await isStale(path, cluster)) await rm(path, { force: true });
  }
}

/** It tries for a while, since a PostgreSQL that is being killed still answers when its process is already gone. */
async function unseenServerRuns(cluster: string): Promise<boolean> {
  const giveUpAt = performance.now() + maxDyingMs;
  while (await answers(join(cluster, socketName))) {
    const file = await readPostmasterFile(cluster);
    if (file === undefined || (await isServerOf(file.pid, cluster))) return false;
    if (performance.now() > giveUpAt) return true;
    await delay(pollEveryMs);
  }
  return false;
}

async function isStale(lock: string, cluster: string): Promise<boolean> {
  const text = await readFile(lock, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  if (text === '') {
    const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
    return Date.now() - mtimeMs > emptyForMs;
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

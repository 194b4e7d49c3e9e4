import { readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { minuteMs } from '../../durations.ts';
import { StartupError } from '../../process/startup-error.ts';
import { socketPort } from './connection.ts';
import { dataDirectoryError, errorCode } from './failures.ts';

const pollEveryMs = 5;

/** How long PostgreSQL may take to stop. There is no such limit for recovery after a crash. */
const stoppingTimeoutMs = minuteMs;

export type RunningServer = { pid: number; host: string; port: number };

/**
 * The PostgreSQL that runs on this cluster and takes connections, or undefined if none runs. It waits while one is
 * starting or stopping.
 */
export async function findRunningServer(cluster: string): Promise<RunningServer | undefined> {
  const giveUpAtMs = performance.now() + stoppingTimeoutMs;
  for (;;) {
    const file = await readPostmasterFile(cluster);
    if (file === undefined || !(await isServerOf(file.pid, cluster))) return undefined;
    if (file.status === 'ready') {
      return { pid: file.pid, host: file.listenAddress === '' ? cluster : '127.0.0.1', port: file.port };
    }
    if (file.status === 'stopping' && performance.now() > giveUpAtMs) {
      throw new StartupError(
        `The PostgreSQL on ${cluster} (process ${file.pid}) has been stopping for ${stoppingTimeoutMs / 1000} s. ` +
          'Wait until it is gone, or end it, and start again.',
      );
    }
    await delay(pollEveryMs);
  }
}

export type PostmasterFile = {
  pid: number;
  port: number;
  /** Empty if PostgreSQL listens on a socket in its own directory. */
  listenAddress: string;
  /** Undefined while PostgreSQL is still writing the file. */
  status: 'starting' | 'stopping' | 'ready' | 'standby' | undefined;
};

/**
 * What a running PostgreSQL writes about itself in `postmaster.pid`, or undefined if there is no such file.
 * Line 1 is its process, 4 its port, 6 its TCP address, 8 its state
 * (https://www.postgresql.org/docs/18/storage-file-layout.html).
 */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const path = join(cluster, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw dataDirectoryError(path, error);
  });
  if (text === undefined) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  // A single-user PostgreSQL writes its number as a negative one.
  const pid = Math.abs(Number(lines[0]));
  if (!Number.isInteger(pid) || pid === 0) return undefined;
  return { pid, port: Number(lines[3]), listenAddress: lines[5] ?? '', status: statusOf(lines[7]) };
}

/** Whether a PostgreSQL runs on this cluster. It may still be starting or stopping. */
export async function hasServer(cluster: string): Promise<boolean> {
  const file = await readPostmasterFile(cluster);
  return file !== undefined && isServerOf(file.pid, cluster);
}

function statusOf(line: string | undefined): PostmasterFile['status'] {
  if (line === 'starting' || line === 'stopping' || line === 'ready' || line === 'standby') return line;
  return undefined;
}

/**
 * Whether a process with this number runs on this machine. A zombie counts as gone: in a container whose first process
 * does not reap its children, it would never disappear.
 */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, and belongs to another user.
    return errorCode(error) === 'EPERM';
  }
  if (process.platform !== 'linux') return true;
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')) !== '';
  } catch (error) {
    // It may have ended since. Any other error only means that we may not read the file.
    return errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ESRCH';
  }
}

/**
 * Whether this process is the PostgreSQL of this cluster, and not another program that was given the number of a
 * PostgreSQL that died. A server's working directory is its cluster; they are compared by inode, so that bind mounts and
 * moves do not matter. If the system does not say, any live process counts, and the password decides later.
 */
export async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (!(await isAlive(pid))) return false;
  if (process.platform !== 'linux') return true;
  try {
    const workingIn = await stat(`/proc/${pid}/cwd`, { bigint: true });
    const directory = await stat(cluster, { bigint: true });
    return workingIn.dev === directory.dev && workingIn.ino === directory.ino;
  } catch (error) {
    return errorCode(error) === 'EACCES' || errorCode(error) === 'EPERM';
  }
}

/** PostgreSQL fills its lock file within milliseconds, so one that stays empty for this long is stale. */
const emptyForMs = 5_000;

const maxDyingMs = 2_000;

const socketName = `.s.PGSQL.${socketPort}`;

/**
 * Removes the lock files on which PostgreSQL would always refuse to start: those of a dead PostgreSQL whose process
 * number another program has now (common in containers, where numbers are small), and empty ones, left by a full disk or
 * a power cut. Other files of dead processes stay, since PostgreSQL replaces them. PostgreSQL still checks shared memory
 * afterwards, so it notices if a process of the dead one has survived.
 *
 * Only the process that holds the start lock may call this: no other makes such a file meanwhile.
 * @throws StartupError if something answers on the socket all the same. That PostgreSQL runs where we cannot see its
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
  const giveUpAtMs = performance.now() + maxDyingMs;
  while (await answers(join(cluster, socketName))) {
    const file = await readPostmasterFile(cluster);
    if (file === undefined || (await isServerOf(file.pid, cluster))) return false;
    if (performance.now() > giveUpAtMs) return true;
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

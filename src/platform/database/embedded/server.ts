import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { open, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { minuteMs } from '../../durations.ts';
import { childEnvironment } from '../../settings/child-environment.ts';
import { logPath } from './data-directory.ts';
import { dataDirectoryError, errorCode, programFailed } from './failures.ts';
import { onForcedExit } from './forced-exit.ts';
import { chooseLauncher, findBinaries } from './programs.ts';
import { clearStaleLocks, hasServer, isServerOf, readPostmasterFile } from './running-server.ts';
import { serverArguments } from './server-settings.ts';

const run = promisify(execFile);
const pollEveryMs = 5;

/** How long PostgreSQL may take until it writes that it is starting. After that it is waited for as long as it lives. */
const maxSilenceMs = minuteMs;
const maxCleanStopMs = 8_000;
const maxImmediateStopMs = 5_000;
const maxLogBytes = 10_000_000;
const tailBytes = 8_000;

/** Failures that pass: another process was first, processes of a killed PostgreSQL still run, a port was just taken. */
const temporaryFailures =
  /lock file ".*" (already exists|is empty)|pre-existing shared memory block|could not create any TCP\/IP sockets/;

export type Start = { outcome: 'ready'; pid: number } | { outcome: 'blocked'; obstacle: string };

type ServerStart = {
  dataDir: string;
  cluster: string;
  password: string;
  settings: Record<string, string>;
  whileWaiting: () => void;
};

/**
 * Starts PostgreSQL and waits until it takes connections. It answers `blocked` if a temporary obstacle was in the
 * way, so that the caller looks again. @throws StartupError with the last lines of the log if it cannot start.
 */
export async function startServer(start: ServerStart): Promise<Start> {
  const releaseLock = await takeStartLock(start.password);
  if (releaseLock === undefined) return { outcome: 'blocked', obstacle: 'Another process is starting it.' };
  try {
    return await startWithLock(start);
  } finally {
    await releaseLock();
  }
}

async function startWithLock(start: ServerStart): Promise<Start> {
  const { cluster } = start;
  if (await hasServer(cluster)) return { outcome: 'blocked', obstacle: 'Another process started it.' };
  await clearStaleLocks(cluster);
  const log = await openServerLog(start.dataDir);
  try {
    const child = await launch(start, log);
    // Nobody uses it yet.
    const forgetForcedExit = onForcedExit(() => child.kill('SIGTERM'));
    start.whileWaiting();
    const failure = await waitForReadyOrFailure(cluster, child).finally(forgetForcedExit);
    if (failure === undefined) return { outcome: 'ready', pid: child.pid ?? 0 };
    const output = `${await log.writtenSince()}\n${failure}`.trim();
    if (temporaryFailures.test(output)) return { outcome: 'blocked', obstacle: output };
    throw programFailed('PostgreSQL did not start', cluster, output);
  } finally {
    await log.close();
  }
}

/** Starts it in its own process group, so that Ctrl-C in a terminal does not stop PostgreSQL before the site. */
async function launch(start: ServerStart, log: ServerLog): Promise<ChildProcess> {
  const launcher = await chooseLauncher(start.dataDir);
  const { file, args } = launcher(
    findBinaries().postgres,
    await serverArguments(start.cluster, start.settings),
  );
  const child = spawn(file, args, {
    cwd: start.dataDir,
    env: childEnvironment(),
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  child.unref();
  return child;
}

/** @returns undefined once PostgreSQL is ready, or why it could not start. */
async function waitForReadyOrFailure(cluster: string, child: ChildProcess): Promise<string | undefined> {
  let failure: string | undefined;
  child.once('error', (error) => {
    failure = error.message;
  });
  child.once('exit', (code, signal) => {
    failure = `It ended with ${signal ?? `exit status ${code}`}.`;
  });
  const giveUpAtMs = performance.now() + maxSilenceMs;
  while (failure === undefined) {
    const file = await readPostmasterFile(cluster);
    const isOurs = file !== undefined && file.pid === child.pid;
    if (isOurs && file.status === 'ready') return undefined;
    if (!isOurs && performance.now() > giveUpAtMs) {
      child.kill('SIGQUIT');
      return `It said nothing for ${maxSilenceMs / 1000} s and was ended.`;
    }
    await delay(pollEveryMs);
  }
  return failure;
}

/**
 * Stops PostgreSQL and waits until it is gone. A clean stop ends all sessions and flushes everything. If that takes
 * too long for a site that must end within ten seconds, an immediate stop follows: it is safe, and the next start recovers.
 */
export async function stopServer(cluster: string, pid: number): Promise<void> {
  if (process.platform === 'win32') return stopOnWindows(cluster);
  if (await signalAndWait(cluster, pid, 'SIGINT', maxCleanStopMs)) return;
  await signalAndWait(cluster, pid, 'SIGQUIT', maxImmediateStopMs);
}

/** Sends the signal, unless another program has the process number now, and waits. @returns whether PostgreSQL is gone. */
async function signalAndWait(
  cluster: string,
  pid: number,
  signal: NodeJS.Signals,
  waitMs: number,
): Promise<boolean> {
  const giveUpAtMs = performance.now() + waitMs;
  if (!(await isServerOf(pid, cluster))) return true;
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended, which the loop below notices.
  }
  while (performance.now() < giveUpAtMs) {
    if (!(await isServerOf(pid, cluster))) return true;
    await delay(pollEveryMs);
  }
  return false;
}

/** There are no signals on Windows: process.kill would end the server without a flush. */
async function stopOnWindows(cluster: string): Promise<void> {
  const waitSeconds = String(maxCleanStopMs / 1000);
  await run(findBinaries().pgCtl, ['stop', '-D', cluster, '-m', 'fast', '-t', waitSeconds]).catch(
    () => undefined,
  );
}

/**
 * Takes the lock for starting PostgreSQL. @returns the function that releases it; undefined while another process has it.
 *
 * Without it, two PostgreSQLs that start on the lock file of a dead one can each remove the other's new file. One then
 * runs where nobody finds it, and keeps every other from starting. The lock is an abstract socket or a named pipe, which
 * the kernel removes with its process. Its name is made from the password, so that no other user of the machine can take
 * it. macOS has no such names, and relies on PostgreSQL's own lock files.
 */
async function takeStartLock(password: string): Promise<(() => Promise<void>) | undefined> {
  const path = lockPath(createHash('sha256').update(`start ${password}`).digest('hex').slice(0, 32));
  if (path === undefined) return async () => undefined;
  const lock = createServer((socket) => socket.destroy());
  try {
    lock.listen({ path, exclusive: true });
    await once(lock, 'listening');
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') return undefined;
    throw error;
  }
  return () => new Promise((resolve) => lock.close(() => resolve()));
}

function lockPath(name: string): string | undefined {
  if (process.platform === 'linux') return `\0onward-${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\onward-${name}` : undefined;
}

type ServerLog = {
  readonly fd: number;
  /** The last part of what was written since this process opened it. */
  writtenSince(): Promise<string>;
  close(): Promise<void>;
};

/** Opens PostgreSQL's log for appending. A large one is emptied first, since nothing else shortens it. */
async function openServerLog(dataDir: string): Promise<ServerLog> {
  const path = logPath(dataDir);
  const file = await open(path, 'a+', 0o600).catch((error: unknown) => {
    throw dataDirectoryError(path, error);
  });
  // If root starts it on the directory of another user, that user must be able to start it afterwards.
  const { uid, gid } = await stat(dataDir);
  if (process.getuid?.() === 0) await file.chown(uid, gid);
  if ((await file.stat()).size > maxLogBytes) await file.truncate();
  const { size: start } = await file.stat();
  return {
    fd: file.fd,
    async writtenSince() {
      const { size } = await file.stat();
      const from = Math.max(start, size - tailBytes);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(size - from, 0)), {
        position: from,
      });
      return buffer.toString('utf8', 0, bytesRead);
    },
    close: () => file.close(),
  };
}

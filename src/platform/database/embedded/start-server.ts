import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { childEnvironment } from '../../settings/child-environment.ts';
import { chooseLauncher } from './choose-launcher.ts';
import { clearStaleLocks } from './clear-stale-locks.ts';
import { programFailed } from './explain-failure.ts';
import { findBinaries } from './find-binaries.ts';
import { hasServer, readPostmasterFile } from './postmaster-file.ts';
import { openServerLog, type ServerLog } from './server-log.ts';
import { serverArguments } from './server-settings.ts';
import { takeStartTurn } from './take-start-turn.ts';

const POLL_MS = 5;

/** Until PostgreSQL has said that it is starting; from then on it is waited for as long as it lives. */
const SILENT_MS = 60_000;

/** Failures that pass by themselves: another process was first, survivors of a killed PostgreSQL, a port just taken. */
const PASSING =
  /lock file ".*" (already exists|is empty)|pre-existing shared memory block|could not create any TCP\/IP sockets/;

export type Start = { outcome: 'ready'; pid: number } | { outcome: 'hindered'; obstacle: string };

type Place = {
  dataDir: string;
  cluster: string;
  password: string;
  settings: Record<string, string>;
  whileWaiting: () => void;
};

/**
 * Starts PostgreSQL and waits until it takes connections. Answers `hindered` when something that passes by itself was
 * in the way, so that the caller looks again; throws a `StartupError` with the last lines of the log otherwise.
 */
export async function startServer(place: Place): Promise<Start> {
  const endTurn = await takeStartTurn(place.password);
  if (endTurn === undefined) return { outcome: 'hindered', obstacle: 'Another process is starting it.' };
  try {
    return await startInTurn(place);
  } finally {
    await endTurn();
  }
}

async function startInTurn(place: Place): Promise<Start> {
  const { cluster } = place;
  if (await hasServer(cluster)) return { outcome: 'hindered', obstacle: 'Another process started it.' };
  await clearStaleLocks(cluster);
  const log = await openServerLog(place.dataDir);
  try {
    const child = await launch(place, log);
    const failure = await untilReady(cluster, child);
    if (failure === undefined) return { outcome: 'ready', pid: child.pid ?? 0 };
    const said = `${await log.writtenSince()}\n${failure}`.trim();
    if (PASSING.test(said)) return { outcome: 'hindered', obstacle: said };
    throw programFailed('PostgreSQL did not start', cluster, said);
  } finally {
    await log.close();
  }
}

/** In its own process group, so that Ctrl-C in a terminal reaches PostgreSQL only after the site has finished. */
async function launch(place: Place, log: ServerLog): Promise<ChildProcess> {
  const launcher = await chooseLauncher(place.dataDir);
  const { file, args } = launcher(
    findBinaries().postgres,
    await serverArguments(place.cluster, place.settings),
  );
  const child = spawn(file, args, {
    cwd: place.dataDir,
    env: childEnvironment(),
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  child.unref();
  place.whileWaiting();
  return child;
}

/** Undefined once it is ready, else why it is not. */
async function untilReady(cluster: string, child: ChildProcess): Promise<string | undefined> {
  let failure: string | undefined;
  child.once('error', (error) => {
    failure = error.message;
  });
  child.once('exit', (code, signal) => {
    failure = `It ended with ${signal ?? `exit status ${code}`}.`;
  });
  const giveUpAt = performance.now() + SILENT_MS;
  while (failure === undefined) {
    const file = await readPostmasterFile(cluster);
    const ours = file !== undefined && file.pid === child.pid;
    if (ours && file.status === 'ready') return undefined;
    if (!ours && performance.now() > giveUpAt) {
      child.kill('SIGQUIT');
      return `It said nothing for ${SILENT_MS / 1000} s and was ended.`;
    }
    await delay(POLL_MS);
  }
  return failure;
}

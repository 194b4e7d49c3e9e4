import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect } from 'vitest';
import { ensureCluster } from '../../src/platform/database/embedded/cluster.ts';
import { superuserName } from '../../src/platform/database/embedded/connection.ts';
import { clusterPath } from '../../src/platform/database/embedded/data-directory.ts';
import type {
  EmbeddedDatabase,
  KeepRunningOptions,
} from '../../src/platform/database/embedded/keep-running.ts';
import type { Purpose } from '../../src/platform/database/embedded/lease.ts';
import { openEmbeddedDatabase } from '../../src/platform/database/embedded/open-embedded-database.ts';
import { isServerOf, readPostmasterFile } from '../../src/platform/database/embedded/running-server.ts';
import { until } from '../app/until.ts';
import { quickFolder } from './memory-folder.ts';
import { onceARun } from './once-a-run.ts';

const directories: { root: string; dataDir: string }[] = [];
const children: ChildProcess[] = [];

/**
 * Ends what a test started, by number, so that a failing test leaves no PostgreSQL behind either. Each test file says so
 * itself, with `afterEach`: a hook that stood here would be the first file's alone, since files share loaded modules.
 */
export async function endEmbedded(): Promise<void> {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const { root, dataDir } of directories.splice(0)) {
    await endServer(clusterPath(dataDir));
    await rm(root, { recursive: true, force: true });
  }
}

/** A data directory to be made, in a temporary directory that goes when the test ends. */
export async function emptyDirectory(below = 'data'): Promise<string> {
  const root = await quickFolder('onward-embedded-');
  const dataDir = join(root, below);
  directories.push({ root, dataDir });
  return dataDir;
}

/**
 * A data directory whose PostgreSQL has run once and stopped: a copy, as making one takes ten times as long. How one
 * begins is told in `open-embedded-database.test.ts`.
 */
export async function usedDirectory(below?: string): Promise<string> {
  const dataDir = await emptyDirectory(below);
  const begin = async (directory: string) => (await open(directory)).release();
  const first = await onceARun('first-data', (folder) => begin(join(folder, 'data')));
  if (first === undefined) {
    await begin(dataDir);
    return dataDir;
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await promisify(execFile)('cp', ['-a', `${first}/data/.`, dataDir]);
  return dataDir;
}

/** Opens without waiting for the disk, which makes a test faster and proves no less. */
export function open(dataDir: string, purpose: Purpose = 'site', keep?: KeepRunningOptions) {
  const settings = { fsync: 'off' };
  return openEmbeddedDatabase({ dataDir, purpose, settings, ...(keep && { keepRunning: keep }) });
}

/** The same server as its superuser connects to it. */
export async function superuserOf(dataDir: string, { connection }: EmbeddedDatabase) {
  const { password } = await ensureCluster(dataDir, () => undefined);
  return { connection: { ...connection, user: superuserName, password } };
}

/** The rows of one statement, on a connection of its own. */
export async function rowsOf(
  database: Pick<EmbeddedDatabase, 'connection'>,
  statement: string,
): Promise<unknown[]> {
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Another process on the directory, which exits by itself without `release`: while PostgreSQL is being started, or after. */
export async function exitWithoutRelease(dataDir: string, purpose: Purpose, when: 'starting' | 'open') {
  const module = new URL('../../src/platform/database/embedded/index.ts', import.meta.url).href;
  const code = `
    const { openEmbeddedDatabase } = await import(${JSON.stringify(module)});
    const whileWaiting = () => { if ('${when}' === 'starting') process.exit(0); };
    await openEmbeddedDatabase({ dataDir: ${JSON.stringify(dataDir)}, purpose: '${purpose}', whileWaiting });
    process.exit(0);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'inherit' });
  children.push(child);
  expect(await once(child, 'exit')).toEqual([0, null]);
}

/** Another process that opens the directory; what it says first is `open <pid>` or why it was refused. */
export async function openInChild(dataDir: string, purpose: Purpose) {
  const module = new URL('../../src/platform/database/embedded/index.ts', import.meta.url).href;
  const code = `
    const { openEmbeddedDatabase } = await import(${JSON.stringify(module)});
    try {
      const settings = { fsync: 'off' };
      const database = await openEmbeddedDatabase({ dataDir: ${JSON.stringify(dataDir)}, purpose: '${purpose}', settings });
      console.log('open ' + database.pid);
      process.stdin.once('data', async () => { await database.release(); process.exit(0); });
    } catch (error) {
      console.log(error.name + ' ' + error.message);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const [said] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    said,
    pid: child.pid ?? 0,
    serverPid: Number(/^open (\d+)$/.exec(said)?.[1]),
    async release() {
      child.stdin.write('release\n');
      await once(child, 'exit');
    },
    async kill(signal: NodeJS.Signals = 'SIGKILL') {
      child.kill(signal);
      await once(child, 'exit');
    },
  };
}

async function endServer(cluster: string): Promise<void> {
  const pid = (await readPostmasterFile(cluster).catch(() => undefined))?.pid;
  if (pid === undefined || !(await isServerOf(pid, cluster))) return;
  process.kill(pid, 'SIGQUIT');
  await until(async () => !(await isServerOf(pid, cluster)));
}

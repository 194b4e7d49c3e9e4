import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { hourMs } from '../../durations.ts';
import { flushDirectory } from '../../process/flush-directory.ts';
import { StartupError } from '../../process/startup-error.ts';
import { childEnvironment } from '../../settings/child-environment.ts';
import { superuserName } from './connection.ts';
import { clusterPath } from './data-directory.ts';
import { dataDirectoryError, errorCode, programFailed } from './failures.ts';
import { onForcedExit } from './forced-exit.ts';
import { chooseLauncher, findBinaries } from './programs.ts';
import { isAlive } from './running-server.ts';

const run = promisify(execFile);
const serverVersion = '18';
/** It lies inside the cluster, so that one rename puts both in place. */
const passwordFileName = 'onward.password';
const abandonedAfterMs = hourMs;

/**
 * The cluster in the data directory and the password of its superuser. It makes the cluster if there is none.
 * @throws StartupError if what is there cannot be used.
 */
export async function ensureCluster(
  dataDir: string,
  whileWaiting: () => void,
): Promise<{ cluster: string; password: string }> {
  const cluster = clusterPath(dataDir);
  if ((await clusterVersion(cluster)) === undefined) await makeCluster(dataDir, cluster, whileWaiting);
  const version = await clusterVersion(cluster);
  if (version !== serverVersion) {
    throw new StartupError(
      `${cluster} was made by PostgreSQL ${version ?? 'of an unknown version'}, and this Onward runs PostgreSQL ${serverVersion}. ` +
        'Back it up with the Onward that made it and restore that into a new directory (ONWARD_DATA_DIR).',
    );
  }
  const passwordFile = join(cluster, passwordFileName);
  const password = await readFile(passwordFile, 'utf8').catch((error: unknown) => {
    throw errorCode(error) === 'ENOENT'
      ? notOurs(cluster, `${passwordFileName} is missing`)
      : dataDirectoryError(passwordFile, error);
  });
  return { cluster, password: password.trim() };
}

/** Whether the data directory holds a cluster. @throws StartupError if something else has its name. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return (await clusterVersion(clusterPath(dataDir))) !== undefined;
}

/** Undefined if there is no cluster yet. An empty directory counts as none, since a rename replaces it. */
async function clusterVersion(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw dataDirectoryError(cluster, error);
    const files = await readdir(cluster).catch(() => []);
    if (files.length > 0) throw notOurs(cluster, 'PG_VERSION is missing');
    return undefined;
  }
}

function notOurs(cluster: string, why: string): StartupError {
  return new StartupError(
    `${cluster} is not a database that Onward made: ${why}. ` +
      'Restore the directory from a backup, move it away, or name another one in ONWARD_DATA_DIR.',
  );
}

/**
 * Makes the cluster under another name, flushes it to disk, and renames it. A process killed half-way, or a power cut,
 * therefore never leaves a half-made cluster in use. If two processes do this at once, one rename succeeds, and both
 * use that cluster.
 */
async function makeCluster(dataDir: string, cluster: string, whileWaiting: () => void): Promise<void> {
  await removeLeftovers(dataDir, cluster);
  const staging = `${cluster}.new-${process.pid}-${randomBytes(6).toString('hex')}`;
  const stagedCluster = join(staging, 'cluster');
  const passwordFile = join(staging, passwordFileName);
  try {
    await mkdir(staging, { mode: 0o700 });
    await writeFile(passwordFile, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
    await initializeCluster({ dataDir, cluster: stagedCluster, passwordFile, whileWaiting });
    await changeOwner(stagedCluster, passwordFile);
    await rename(passwordFile, join(stagedCluster, passwordFileName));
    await flushDirectory(stagedCluster);
    await renameIntoPlace(stagedCluster, cluster);
    await flushDirectory(dataDir);
  } catch (error) {
    throw dataDirectoryError(dataDir, error);
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** If root makes the cluster for another user, that user must be able to read the password afterwards. */
async function changeOwner(stagedCluster: string, passwordFile: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(stagedCluster);
  await chown(passwordFile, uid, gid);
}

async function renameIntoPlace(stagedCluster: string, cluster: string): Promise<void> {
  try {
    await rename(stagedCluster, cluster);
  } catch (error) {
    const otherIsInPlace = await stat(join(cluster, 'PG_VERSION')).catch(() => undefined);
    if (otherIsInPlace === undefined) throw error;
  }
}

/** Removes what processes left behind that died while they made a cluster. What a live process is making stays. */
async function removeLeftovers(dataDir: string, cluster: string): Promise<void> {
  const prefix = `${basename(cluster)}.new-`;
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(dirname(cluster), name);
    const maker = Number.parseInt(name.slice(prefix.length), 10);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    const isInUse = (await isAlive(maker)) && Date.now() - mtimeMs < abandonedAfterMs;
    // A folder that cannot be removed does no harm, since nothing reads it.
    if (!isInUse) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

type NewCluster = { dataDir: string; cluster: string; passwordFile: string; whileWaiting: () => void };

/**
 * Runs initdb: UTF-8, the same sort order (by code point) on every machine, checksums, and a password for every
 * connection. initdb flushes what it made to disk. @throws StartupError with what initdb printed.
 */
async function initializeCluster(newCluster: NewCluster): Promise<void> {
  const launch = await chooseLauncher(newCluster.dataDir);
  const { initdb } = findBinaries();
  const attempt = async (characterClasses: string) => {
    const { file, args } = launch(initdb, initdbArguments(newCluster, characterClasses));
    const options = { env: childEnvironment(), cwd: newCluster.dataDir };
    const running = run(file, args, options);
    const forgetForcedExit = onForcedExit(() => running.child.kill('SIGTERM'));
    newCluster.whileWaiting();
    return running
      .then(
        () => undefined,
        (error: Error & { stderr?: string }) => error.stderr || error.message,
      )
      .finally(forgetForcedExit);
  };
  let failure = await attempt(characterClassesLocale());
  // A very small system may have no UTF-8 locale. The site works without it, except that search misses non-Latin names.
  if (failure?.includes('invalid locale name')) failure = await attempt('C');
  if (failure !== undefined)
    throw programFailed('The database could not be made', newCluster.dataDir, failure);
}

/**
 * pg_trgm uses the system's locale, and not the builtin one, to decide which characters belong to a word. With plain C,
 * `show_trgm('Поле')` is empty, and search could not find a name in such a script.
 */
function characterClassesLocale(): string {
  if (process.platform === 'win32') return 'C';
  return process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
}

function initdbArguments(newCluster: NewCluster, characterClasses: string): string[] {
  return [
    `--pgdata=${newCluster.cluster}`,
    `--username=${superuserName}`,
    `--pwfile=${newCluster.passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    `--lc-ctype=${characterClasses}`,
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ];
}

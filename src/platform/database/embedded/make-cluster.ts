import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unusable } from './data-directory.ts';
import { errorCode } from './explain-failure.ts';
import { initializeCluster } from './initialize-cluster.ts';
import { isAlive } from './process-identity.ts';

/** Inside the cluster, so that cluster and password come into being in one step. */
export const PASSWORD_FILE = 'onward.password';

const ABANDONED_MS = 3_600_000;

/**
 * Makes the cluster beside its place, flushes it to disk, and renames it into place: a process killed half-way, or a
 * power cut, never leaves a half-made cluster to be used. Of two processes that do it at once one rename succeeds,
 * and the other process drops its own and goes on with the winner's.
 */
export async function makeCluster(dataDir: string, cluster: string, whileWaiting: () => void): Promise<void> {
  await removeLeftovers(dataDir, cluster);
  const staging = `${cluster}.new-${process.pid}-${randomBytes(6).toString('hex')}`;
  const made = join(staging, 'cluster');
  const passwordFile = join(staging, PASSWORD_FILE);
  try {
    await mkdir(staging, { mode: 0o700 });
    await writeFile(passwordFile, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
    await initializeCluster({ dataDir, cluster: made, passwordFile, whileWaiting });
    await giveToOwnerOf(made, passwordFile);
    await rename(passwordFile, join(made, PASSWORD_FILE));
    await flushDirectory(made);
    await renameIntoPlace(made, cluster);
    await flushDirectory(dataDir);
  } catch (error) {
    throw unusable(dataDir, error);
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Root may make a cluster for another user, who has to be able to read the password afterwards. */
async function giveToOwnerOf(made: string, passwordFile: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(made);
  await chown(passwordFile, uid, gid);
}

async function renameIntoPlace(made: string, cluster: string): Promise<void> {
  try {
    await rename(made, cluster);
  } catch (error) {
    const othersIsThere = await stat(join(cluster, 'PG_VERSION')).catch(() => undefined);
    if (othersIsThere === undefined) throw error;
  }
}

/** What processes that died while making a cluster left behind; one that is being made by a live one stays. */
async function removeLeftovers(dataDir: string, cluster: string): Promise<void> {
  const prefix = `${basename(cluster)}.new-`;
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(dirname(cluster), name);
    const maker = Number.parseInt(name.slice(prefix.length), 10);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    const inUse = (await isAlive(maker)) && Date.now() - mtimeMs < ABANDONED_MS;
    // A failure here is no reason not to start: the folder is never looked at again.
    if (!inUse) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** A rename survives a power cut only once the directory that holds it is on disk. */
async function flushDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } catch (error) {
    // Some network file systems cannot flush a directory; they order renames themselves.
    if (errorCode(error) !== 'EINVAL') throw error;
  } finally {
    await directory.close();
  }
}

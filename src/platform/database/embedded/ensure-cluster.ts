import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../../startup-error.ts';
import { clusterPath, unusable } from './data-directory.ts';
import { errorCode } from './explain-failure.ts';
import { makeCluster, PASSWORD_FILE } from './make-cluster.ts';

const VERSION = '18';

/**
 * The cluster in the data directory and the password of its superuser; made where there is none.
 * Throws a `StartupError` when what is there cannot be used.
 */
export async function ensureCluster(
  dataDir: string,
  whileWaiting: () => void,
): Promise<{ cluster: string; password: string }> {
  const cluster = clusterPath(dataDir);
  if ((await clusterVersion(cluster)) === undefined) await makeCluster(dataDir, cluster, whileWaiting);
  const version = await clusterVersion(cluster);
  if (version !== VERSION) {
    throw new StartupError(
      `${cluster} was made by PostgreSQL ${version ?? 'of an unknown version'}, and this Onward runs PostgreSQL ${VERSION}. ` +
        'Back it up with the Onward that made it and restore that into a new directory (ONWARD_DATA_DIR).',
    );
  }
  const passwordFile = join(cluster, PASSWORD_FILE);
  const password = await readFile(passwordFile, 'utf8').catch((error: unknown) => {
    throw errorCode(error) === 'ENOENT'
      ? notOurs(cluster, `${PASSWORD_FILE} is missing`)
      : unusable(passwordFile, error);
  });
  return { cluster, password: password.trim() };
}

/** Whether a site's own PostgreSQL is in the data directory. @throws StartupError where something else is. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return (await clusterVersion(clusterPath(dataDir))) !== undefined;
}

/** Undefined where nothing is there yet; an empty directory counts as nothing, since a rename replaces it. */
async function clusterVersion(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw unusable(cluster, error);
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

import { access, constants, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '../../make-directory.ts';
import { unusable } from './failures.ts';

/**
 * Makes the data directory where it is missing (mode 0700, it holds patient data) and returns its real path, so that
 * every process of the site uses the same name for it.
 * @throws StartupError naming ONWARD_DATA_DIR where the directory cannot be used.
 */
export async function prepareDataDirectory(dataDir: string): Promise<string> {
  try {
    await makeDirectory(dataDir);
    const path = await realpath(dataDir);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return path;
  } catch (error) {
    throw unusable(dataDir, error);
  }
}

/** PostgreSQL's own directory in the data directory. */
export function clusterPath(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** What PostgreSQL writes to standard output and error. */
export function logPath(dataDir: string): string {
  return join(dataDir, 'postgres.log');
}

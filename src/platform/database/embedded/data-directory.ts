import { access, constants, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dataDirectoryError } from './failures.ts';

/**
 * Makes the data directory if it is missing (mode 0700, it holds patient data) and returns its real path, so that
 * every process of the site uses the same name for it.
 * @throws StartupError naming ONWARD_DATA_DIR if the directory cannot be used.
 */
export async function prepareDataDirectory(dataDir: string): Promise<string> {
  try {
    await makeDirectory(dataDir);
    const path = await realpath(dataDir);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return path;
  } catch (error) {
    throw dataDirectoryError(dataDir, error);
  }
}

const ownerOnly = 0o700;

/**
 * Makes a directory, and those above it that are missing, for its owner alone. Node's own recursive `mkdir` is not used
 * because it never returns below /proc.
 * @throws the file system's error; EEXIST if something other than a directory is in the way.
 */
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: ownerOnly });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    const above = dirname(path);
    if (code !== 'ENOENT' || above === path) throw error;
    await makeDirectory(above);
    await mkdir(path, { mode: ownerOnly });
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

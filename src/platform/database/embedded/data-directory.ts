import { access, constants, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '../../make-directory.ts';
import { StartupError } from '../../startup-error.ts';
import { diskFull, errorCode } from './explain-failure.ts';

const REASONS: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EEXIST: 'a file is in the way',
  ENOTDIR: 'a file is in the way',
  EROFS: 'the file system is read-only',
  ENOENT: 'it cannot be created there, perhaps because the file system is read-only',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'its symbolic links go round in a circle',
};

/**
 * Makes the data directory where it is missing (mode 0700, it holds patient data) and returns its real path,
 * so that every process of the site calls the same directory by the same name.
 * Throws a `StartupError` that names ONWARD_DATA_DIR when the directory cannot be used.
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

/** The refusal for a path in the data directory that could not be made, read or written. */
export function unusable(path: string, error: unknown): Error {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(path);
  const reason = code === undefined ? undefined : REASONS[code];
  if (reason === undefined) return error instanceof Error ? error : new Error(String(error));
  return new StartupError(
    `ONWARD_DATA_DIR: ${path} cannot be used: ${reason} (${code}). ` +
      'Name a directory that this user may write to, for example ONWARD_DATA_DIR=/var/lib/onward.',
  );
}

/** PostgreSQL's own directory in the data directory. */
export function clusterPath(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** What PostgreSQL writes to standard output and error. */
export function logPath(dataDir: string): string {
  return join(dataDir, 'postgres.log');
}

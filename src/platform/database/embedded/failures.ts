import { StartupError } from '../../process/startup-error.ts';

/** The `code` of a system or PostgreSQL error, if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The refusal for a full disk. */
export function diskFull(path: string): StartupError {
  return new StartupError(
    `The disk that holds ${path} is full. Free some space on it, or move the data directory to a larger disk ` +
      'and name it in ONWARD_DATA_DIR, then start again.',
  );
}

/** The refusal for a path in the data directory that could not be made, read or written. */
export function dataDirectoryError(path: string, error: unknown): Error {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(path);
  const reason = code === undefined ? undefined : reasons[code];
  if (reason === undefined) return error instanceof Error ? error : new Error(String(error));
  return new StartupError(
    `ONWARD_DATA_DIR: ${path} cannot be used: ${reason} (${code}). ` +
      'Name a directory that this user may write to, for example ONWARD_DATA_DIR=/var/lib/onward.',
  );
}

const reasons: Record<string, string> = {
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
 * The refusal for a PostgreSQL program that failed, with the last lines of its output, so that an operator learns what
 * is wrong.
 */
export function programFailed(what: string, path: string, output: string): StartupError {
  if (/no space left on device|disk quota exceeded|check free disk space/i.test(output))
    return diskFull(path);
  const lines = lastLines(output, 12);
  const libraries = /error while loading shared libraries|image not found|Library not loaded/i.test(output)
    ? '\nIts libraries are incomplete: run npm ci again with install scripts allowed.'
    : '';
  return new StartupError(`${what} on ${path}. PostgreSQL said:\n${lines}${libraries}`);
}

function lastLines(text: string, count: number): string {
  const lines = text.trim().split('\n').slice(-count);
  return lines.map((line) => `  ${line}`).join('\n');
}

import { StartupError } from '../../startup-error.ts';

/** The `code` of a system or PostgreSQL error, where there is one. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The refusal for a disk without room. */
export function diskFull(path: string): StartupError {
  return new StartupError(
    `The disk that holds ${path} is full. Free some space on it, or move the data directory to a larger disk ` +
      'and name it in ONWARD_DATA_DIR, then start again.',
  );
}

/**
 * The refusal for a PostgreSQL program that failed, with the end of what it said: an operator without it
 * would only learn that something is wrong.
 */
export function programFailed(what: string, path: string, output: string): StartupError {
  if (/no space left on device|disk quota exceeded|check free disk space/i.test(output))
    return diskFull(path);
  const said = lastLines(output, 12);
  const libraries = /error while loading shared libraries|image not found|Library not loaded/i.test(output)
    ? '\nIts libraries are incomplete: run npm ci again with install scripts allowed.'
    : '';
  return new StartupError(`${what} on ${path}. PostgreSQL said:\n${said}${libraries}`);
}

function lastLines(text: string, count: number): string {
  const lines = text.trim().split('\n').slice(-count);
  return lines.map((line) => `  ${line}`).join('\n');
}

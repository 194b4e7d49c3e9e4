import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { commandLine } from '../accounts/index.ts';
import type { ImportResult, importServices } from '../library/index.ts';
import type { OpenPlatform } from '../open-platform.ts';
import { StartupError } from '../platform/startup-error.ts';
import type { Input, Result } from './command.ts';

/**
 * Reads a file into the site by one of the library's imports. What was refused goes to standard error, a line each, and
 * makes the exit status 1; the rest has been imported all the same.
 */
export async function importFile(
  { platform }: OpenPlatform,
  input: Input,
  importer: typeof importServices,
  what: string,
): Promise<Result> {
  const path = input.positionals[0]!;
  await checkFile(path);
  const { problems, ...summary } = await importer(platform, commandLine, createReadStream(path), {
    onProgress: ({ read, rejected }) => input.progress(`${read} ${what} read, ${rejected} refused`),
  });
  input.progress('');
  const complaints = problems.map(({ line, id, pointer, reason }) =>
    [`line ${line}`, id, pointer, reason].filter((part) => part !== undefined && part !== '').join(': '),
  );
  const unnamed = summary.rejected - new Set(problems.map(({ line }) => line)).size;
  if (unnamed > 0) complaints.push(`and ${unnamed} more`);
  const status = summary.rejected > 0 ? 1 : 0;
  return { text: inWords(summary, what), json: { ...summary, problems }, complaints, status };
}

function inWords(summary: Omit<ImportResult, 'problems'>, what: string): string {
  const { read, created, updated, unchanged, rejected, seconds } = summary;
  return `${read} ${what} read in ${seconds} s: ${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} refused.`;
}

async function checkFile(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK);
    if ((await stat(path)).isFile()) return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(`${path} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : code}.`);
  }
  throw new StartupError(`${path} is not a file.`);
}

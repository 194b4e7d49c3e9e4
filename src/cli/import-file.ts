import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { commandLine } from '../accounts/index.ts';
import type { importServices } from '../library/index.ts';
import type { OpenPlatform } from '../open-platform.ts';
import { StartupError } from '../platform/startup-error.ts';
import type { Input, Result } from './command.ts';
import { importResult, progressBar } from './import-words.ts';

type Importer = (...given: Parameters<typeof importServices>) => ReturnType<typeof importServices>;

/** What `--json` prints after an import. */
export const importAnswer =
  '{ read, created, updated, unchanged, inactive, rejected, seconds, problems: [{ line, file, page, id, pointer, reason }], notes: [text] }';

/**
 * Reads a file into the site by one of the library's imports. What was refused goes to standard error, a line each, and
 * makes the exit status 1; the rest has been imported all the same.
 */
export async function importFile(
  { platform }: OpenPlatform,
  input: Input,
  importer: Importer,
  what: string,
  dryRun = false,
): Promise<Result> {
  const path = input.positionals[0]!;
  const size = await checkFile(input);
  const file = createReadStream(path);
  const result = await importer(platform, commandLine, file, {
    onProgress: ({ read, rejected }) =>
      input.progress(`${progressBar(file.bytesRead / size)} ${read} ${what} read, ${rejected} refused`),
  });
  input.progress('');
  return importResult(result, what, dryRun);
}

/** @returns its size. @throws StartupError where there is no file that can be read. */
export async function checkFile({ positionals: [path = ''] }: Input): Promise<number> {
  try {
    await access(path, constants.R_OK);
    const file = await stat(path);
    if (file.isFile()) return file.size;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(`${path} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : code}.`);
  }
  throw new StartupError(`${path} is not a file.`);
}

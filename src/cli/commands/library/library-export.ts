import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { commandLineActor } from '../../../accounts/index.ts';
import { writeExport } from '../../../exchange/index.ts';
import { StartupError } from '../../../platform/process/startup-error.ts';
import { type Command, UsageError } from '../../command.ts';

export const libraryExport: Command = {
  usage: 'FILE',
  options: {},
  help: [
    'FILE   Open Referral (HSDS) 3.0 services, one a line, inactive ones as well. Packed with gzip where its name ends',
    '       in .gz; with - for FILE, to standard output. A file of that name is replaced once the new one is whole.',
    '“library import FILE” brings everything back as it was, on this site or another.',
  ],
  positionals: ['FILE'],
  jsonShape: '{ lines, seconds }',
  checkInput({ positionals: [file], values }) {
    if (isStandardOutput(file) && values.json === true)
      throw new UsageError('--json and the library would both write to standard output');
  },
  async run({ platform }, { positionals: [file = ''] }) {
    const exportTo = (target: NodeJS.WritableStream) =>
      writeExport(platform, commandLineActor, target, { packed: file.endsWith('.gz') });
    if (!isStandardOutput(file)) {
      const summary = await explainWriteError(file, () => writeFile(file, exportTo));
      return { text: `${summary.lines} lines written in ${summary.seconds} s.`, json: summary };
    }
    await explainWriteError('Standard output', () => exportTo(process.stdout));
    return { text: '', json: undefined };
  },
};

/** Whether to write to standard output, which then gets nothing but the library. */
const isStandardOutput = (file = '') => file === '-' || file === '/dev/stdout';

/**
 * Writes to a second file, and renames it once the export is complete and on the disk, so that the file is never half an export. If the
 * path is a link, its target is replaced. A pipe or a device is written to directly.
 */
async function writeFile<T>(path: string, write: (target: NodeJS.WritableStream) => Promise<T>): Promise<T> {
  const file = await realpath(path).catch(() => path);
  const existing = await stat(file).catch(() => undefined);
  if (existing && !existing.isFile()) return write((await open(file, 'w')).createWriteStream());
  const partial = `${file}.${process.pid}.partial`;
  // Opened first, because a stream that opens its file by itself may fail before anybody listens.
  const target = (await open(partial, 'w')).createWriteStream({ flush: true });
  try {
    const result = await write(target);
    await rename(partial, file);
    return result;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Turns an error of the system, such as a full disk or a closed pipe, into a StartupError that names the target. */
async function explainWriteError<T>(target: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error;
    throw new StartupError(`${target} cannot be written: ${code}.`);
  }
}

import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { commandLine } from '../../accounts/index.ts';
import { writeExport } from '../../exchange/index.ts';
import { StartupError } from '../../platform/startup-error.ts';
import { type Command, UsageError } from '../command.ts';

export const libraryExport: Command = {
  usage: 'FILE',
  options: {},
  help: [
    'FILE   Open Referral (HSDS) 3.0 services, one a line, inactive ones as well. Packed with gzip where its name ends',
    '       in .gz; with - for FILE, to standard output. A file of that name is replaced once the new one is whole.',
    '“library import FILE” brings everything back as it was, on this site or another.',
  ],
  positionals: ['FILE'],
  answers: '{ lines, seconds }',
  check({ positionals: [file], values }) {
    if (isOurOutput(file) && values.json === true)
      throw new UsageError('--json and the library would both write to standard output');
  },
  async run({ platform }, { positionals: [file = ''] }) {
    const exportTo = (target: NodeJS.WritableStream) =>
      writeExport(platform, commandLine, target, { packed: file.endsWith('.gz') });
    if (!isOurOutput(file)) {
      const exported = await naming(file, () => writeFile(file, exportTo));
      return { text: `${exported.lines} lines written in ${exported.seconds} s.`, json: exported };
    }
    await naming('Standard output', () => exportTo(process.stdout));
    return { text: '', json: undefined };
  },
};

/** Where what is written is followed by nothing that is not the library. */
const isOurOutput = (file = '') => file === '-' || file === '/dev/stdout';

/**
 * Under another name until it is whole, so that what is there is never half of an export. A link stays where it is, and so
 * does a pipe or a device, which is written to as it comes.
 */
async function writeFile<T>(named: string, write: (target: NodeJS.WritableStream) => Promise<T>): Promise<T> {
  const path = await realpath(named).catch(() => named);
  const there = await stat(path).catch(() => undefined);
  if (there && !there.isFile()) return write((await open(path, 'w')).createWriteStream());
  const partial = `${path}.partial`;
  // Opened before anything is read: a stream that opens its file by itself fails while nobody listens yet.
  const target = (await open(partial, 'w')).createWriteStream();
  try {
    const result = await write(target);
    await rename(partial, path);
    return result;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** A full disk, or a reader who has read enough, is no fault of Onward's. @throws StartupError that names the target. */
async function naming<T>(target: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error;
    throw new StartupError(`${target} cannot be written: ${code}.`);
  }
}

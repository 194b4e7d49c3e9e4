import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { commandLine } from '../../accounts/index.ts';
import { writeExport } from '../../library/index.ts';
import { StartupError } from '../../platform/startup-error.ts';
import { type Command, UsageError } from '../command.ts';

export const libraryExport: Command = {
  name: 'library export',
  summary: 'Write the whole library to a file',
  usage: 'FILE',
  options: {},
  help: [
    'FILE   Open Referral (HSDS) 3.0 services, one a line, inactive ones as well. Packed with gzip where its name ends',
    '       in .gz; with - for FILE, to standard output. A file of that name is replaced once the new one is whole.',
    '“library import FILE” brings everything back as it was, on this site or another.',
  ],
  positionals: ['FILE'],
  answers: '{ lines, seconds }',
  async run({ platform }, { positionals: [file = ''], values }) {
    if (file !== '-') {
      const exported = await writeFile(file, (target) =>
        writeExport(platform, commandLine, target, { packed: file.endsWith('.gz') }),
      );
      return { text: `${exported.lines} lines written in ${exported.seconds} s.`, json: exported };
    }
    if (values.json === true) throw new UsageError('--json and - would both write to standard output');
    await writeExport(platform, commandLine, process.stdout, { packed: false });
    return { text: '', json: undefined };
  },
};

/** Under another name until it is whole, so that what is there is never half of an export. */
async function writeFile<T>(path: string, write: (target: NodeJS.WritableStream) => Promise<T>): Promise<T> {
  const partial = `${path}.partial`;
  try {
    const result = await write(createWriteStream(partial));
    await rename(partial, path);
    return result;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    await rm(partial, { force: true });
    if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error;
    throw new StartupError(`${path} cannot be written: ${code}.`);
  }
}

import { basename } from 'node:path';
import { importServices } from '../../library/index.ts';
import type { Command } from '../command.ts';
import { importAnswer, importFile } from '../import-file.ts';

export const libraryImport: Command = {
  name: 'library import',
  summary: 'Read services into the library',
  usage: 'FILE [--dry-run] [--complete] [--source NAME]',
  options: {
    'dry-run': { type: 'boolean' },
    complete: { type: 'boolean' },
    source: { type: 'string' },
  },
  help: [
    'FILE            Open Referral (HSDS) 3.0 services as JSON or NDJSON, packed with gzip or not; or an HSDS data package',
    '                (a zip of CSV files), of version 1.0 to 3.0.',
    '--dry-run       writes nothing, and says what would change.',
    '--complete      FILE is all that its source has: what came from this source before and is not in FILE any more',
    '                becomes inactive. Without it nothing does. Services of other sources are never touched.',
    '--source NAME   what FILE is called from one time to the next, where its name changes; else it is the file’s name.',
    'Services are matched by id, so the same file can be read again. Bad records are reported and left out.',
  ],
  positionals: ['FILE'],
  answers: importAnswer,
  site: 'made',
  async run(open, input) {
    const { values, positionals } = input;
    const dryRun = values['dry-run'] === true;
    const source = typeof values.source === 'string' ? values.source : basename(positionals[0]!);
    const complete = values.complete === true;
    const importer: typeof importServices = (deps, actor, file, options) =>
      importServices(deps, actor, file, { ...options, dryRun, complete, source });
    return importFile(open, input, importer, 'services', dryRun);
  },
};

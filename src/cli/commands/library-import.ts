import { importServices } from '../../library/index.ts';
import type { Command } from '../command.ts';
import { importFile } from '../import-file.ts';

export const libraryImport: Command = {
  name: 'library import',
  summary: 'Read services into the library',
  usage: 'FILE',
  options: {},
  help: [
    'FILE   Open Referral (HSDS) 3.0 services as JSON or NDJSON, packed with gzip or not.',
    'Services are matched by id, so the same file can be read again. Bad records are reported and left out.',
  ],
  positionals: ['FILE'],
  run: (open, input) => importFile(open, input, importServices, 'services'),
};

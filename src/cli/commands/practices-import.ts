import { importPractices } from '../../library/index.ts';
import type { Command } from '../command.ts';
import { importAnswer, importFile } from '../import-file.ts';

export const practicesImport: Command = {
  name: 'practices import',
  summary: 'Read GP practices',
  usage: 'FILE.csv',
  options: {},
  help: [
    'FILE.csv   with the columns ods_code,name and, where known, address,city,postcode,latitude,longitude,phone.',
    'Practices are matched by code, so the same file can be read again. Bad lines are reported and left out.',
  ],
  positionals: ['FILE.csv'],
  answers: importAnswer,
  site: 'made',
  run: (open, input) => importFile(open, input, importPractices, 'practices'),
};

import { importPractices } from '../../library/index.ts';
import type { Command } from '../command.ts';
import { checkFile, importAnswer, importFile } from '../import-file.ts';

export const practicesImport: Command = {
  usage: 'FILE.csv',
  options: {},
  help: [
    'FILE.csv   with the columns ods_code,name and, where known, address,city,postcode,latitude,longitude,phone.',
    'Practices are matched by code, so the same file can be read again. Bad lines are reported and left out.',
  ],
  positionals: ['FILE.csv'],
  answers: importAnswer,
  site: 'made',
  check: checkFile,
  run: (open, input) => importFile(open, input, importPractices, 'practices'),
};

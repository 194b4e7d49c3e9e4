import { importPractices } from '../../../exchange/index.ts';
import type { Command } from '../../command.ts';
import {
  checkInputFile,
  importFile,
  importJsonShape,
  rejectsHelp,
  rejectsOption,
} from '../../import-file.ts';

export const practicesImport: Command = {
  usage: 'FILE.csv [--rejects FILE.csv]',
  options: rejectsOption,
  help: [
    'FILE.csv   with the columns ods_code,name and, where known, address,city,postcode,latitude,longitude,phone,closed_on,list_size.',
    '           With - for FILE.csv, from standard input.',
    ...rejectsHelp,
    'Practices are matched by code, so the same file can be imported again. Bad lines are reported and left out; after 1,000',
    'of them in a row the import gives up.',
  ],
  positionals: ['FILE.csv'],
  jsonShape: importJsonShape,
  openAs: 'new-or-existing',
  checkInput: checkInputFile,
  run: (open, input) => importFile(open, input, importPractices, { what: 'practices' }),
};

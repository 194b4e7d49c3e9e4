import { importPostcodes } from '../../../exchange/index.ts';
import type { Command } from '../../command.ts';
import {
  checkInputFile,
  type Importer,
  importFile,
  importJsonShape,
  rejectsHelp,
  rejectsOption,
} from '../../import-file.ts';

export const postcodesImport: Command = {
  usage: 'FILE.csv [--dry-run] [--rejects FILE.csv]',
  options: { ...rejectsOption, 'dry-run': { type: 'boolean' } },
  help: [
    'FILE.csv    with the columns postcode,latitude,longitude, or the ONS postcode directory; packed with gzip or not.',
    '            With - for FILE.csv, from standard input.',
    '--dry-run   writes nothing, and says what would change.',
    ...rejectsHelp,
    'The same file can be imported again. Bad lines are reported and left out; after 1,000 of them in a row the import gives',
    'up. Postcodes that are not in it stay.',
  ],
  positionals: ['FILE.csv'],
  jsonShape: importJsonShape,
  openAs: 'new-or-existing',
  checkInput: checkInputFile,
  async run(open, input) {
    const dryRun = input.values['dry-run'] === true;
    const importer: Importer = (deps, actor, source, options) =>
      importPostcodes(deps, actor, source, { ...options, dryRun });
    return importFile(open, input, importer, { what: 'postcodes', dryRun });
  },
};

import { importPostcodes } from '../../library/index.ts';
import type { Command } from '../command.ts';
import { checkFile, importAnswer, importFile } from '../import-file.ts';

export const postcodesImport: Command = {
  usage: 'FILE.csv [--dry-run]',
  options: { 'dry-run': { type: 'boolean' } },
  help: [
    'FILE.csv    with the columns postcode,latitude,longitude, or the ONS postcode directory; packed with gzip or not.',
    '--dry-run   writes nothing, and says what would change.',
    'The same file can be read again. Bad lines are reported and left out; postcodes that it does not have stay.',
  ],
  positionals: ['FILE.csv'],
  answers: importAnswer,
  site: 'made',
  check: checkFile,
  async run(open, input) {
    const dryRun = input.values['dry-run'] === true;
    const importer: typeof importPostcodes = (deps, actor, source, options) =>
      importPostcodes(deps, actor, source, { ...options, dryRun });
    return importFile(open, input, importer, 'postcodes', dryRun);
  },
};

import { basename } from 'node:path';
import { commandLineActor } from '../../../accounts/index.ts';
import { importFeed, importServices, readFeedAddress, runListedImport } from '../../../exchange/index.ts';
import type { OpenPlatform } from '../../../site/open-platform.ts';
import { type Command, type Input, type Result, UsageError } from '../../command.ts';
import {
  checkFile,
  checkRejects,
  type Importer,
  importFile,
  importJsonShape,
  isStandardInput,
  rejectsHelp,
  rejectsOption,
  runAndReport,
} from '../../import-file.ts';
import { interruptionSignal } from '../../progress.ts';

export const libraryImport: Command = {
  usage: 'FILE_OR_URL [--dry-run] [--complete] [--source NAME] [--rejects FILE.csv]',
  options: {
    'dry-run': { type: 'boolean' },
    complete: { type: 'boolean' },
    source: { type: 'string' },
    ...rejectsOption,
  },
  help: [
    'FILE            Open Referral (HSDS) 3.0 services as JSON or NDJSON, packed with gzip or not; or an HSDS data package',
    '                (a zip of CSV files), of version 1.0 to 3.0. With - for FILE, from standard input.',
    'URL             the address of an Open Referral UK or HSDS 3.0 feed, such as https://feed.example/api/library. The',
    '                first import reads all of it, later ones what changed. An interrupted import resumes if you give',
    '                the address again within a day. Services that the feed no longer lists become inactive.',
    '--dry-run       writes nothing, and says what would change.',
    '--complete      FILE has all services of its source: those that came from this source before and are no longer in',
    '                FILE become inactive. Without this option nothing does. Other sources’ services are never touched.',
    '                With a URL: read all of it again, and accept it even if more than half is missing.',
    '--source NAME   the name of the source, if the name of the file changes; otherwise it is the file’s name.',
    ...rejectsHelp,
    'Services are matched by id, so the same file can be imported again. Bad records are reported and left out,',
    'with exit status 1. If only a part of a record is wrong, only that part is left out. The import gives up after',
    '1,000 rejected records in a row. Ctrl+C stops it after the records that it is reading. What was stored until then stays.',
  ],
  positionals: ['FILE_OR_URL'],
  jsonShape: importJsonShape,
  openAs: 'new-or-existing',
  async checkInput(input) {
    if (isFeed(input)) await checkFeed(input);
    else await checkFile(input);
  },
  async run(open, input) {
    const { values, positionals } = input;
    const dryRun = values['dry-run'] === true;
    if (isFeed(input)) return importFromFeed(open, input, { dryRun });
    const name = isStandardInput(input) ? 'standard input' : basename(positionals[0]!);
    const source = typeof values.source === 'string' ? values.source : name;
    const complete = values.complete === true;
    const details = { name, isFeed: false, sourceName: source, isComplete: complete, dryRun };
    const importer: Importer = (deps, actor, file, options) =>
      runListedImport(deps, actor, details, options.report, (importId) =>
        importServices(deps, actor, file, { ...options, importId, dryRun, complete, source }),
      );
    return importFile(open, input, importer, { what: 'services', dryRun });
  },
};

const isFeed = ({ positionals: [from = ''] }: Input) => /^https?:/i.test(from);

async function checkFeed(input: Input): Promise<void> {
  if (input.values.source !== undefined)
    throw new UsageError('--source is for files: the source of a feed is its address');
  await checkRejects(input);
}

async function importFromFeed(
  { platform }: OpenPlatform,
  input: Input,
  { dryRun }: { dryRun: boolean },
): Promise<Result> {
  const [address = ''] = input.positionals;
  const { name } = readFeedAddress(address);
  const complete = input.values.complete === true;
  const details = { name, isFeed: true, sourceName: name, isComplete: complete, dryRun };
  return runAndReport(input, { what: 'services', dryRun }, (report) =>
    runListedImport(platform, commandLineActor, details, report, (importId) =>
      importFeed(platform, commandLineActor, address, {
        importId,
        report,
        dryRun,
        complete,
        signal: interruptionSignal(),
        onProgress: ({ read, rejected }) => input.showProgress(`${read} services read, ${rejected} rejected`),
      }),
    ),
  );
}

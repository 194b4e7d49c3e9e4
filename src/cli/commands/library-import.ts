import { basename } from 'node:path';
import { commandLine } from '../../accounts/index.ts';
import { importFeed, importServices, listImport, readFeedAddress } from '../../exchange/index.ts';
import type { OpenPlatform } from '../../site/open-platform.ts';
import { type Command, type Input, type Result, UsageError } from '../command.ts';
import {
  checkFile,
  checkRejects,
  type Importer,
  importAnswer,
  importFile,
  isStandardInput,
  rejectsHelp,
  rejectsOption,
  runAndReport,
} from '../import-file.ts';
import { interruptionSignal } from '../progress.ts';

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
    '                first time all of it is read, then what changed; a reading that was cut off goes on where it stopped',
    '                if you give the address again within a day. What the feed does not list any more becomes inactive.',
    '--dry-run       writes nothing, and says what would change.',
    '--complete      FILE is all that its source has: what came from this source before and is not in FILE any more',
    '                becomes inactive. Without it nothing does. Services of other sources are never touched.',
    '                With a URL: read all of it anew, and believe it even if more than half of it has vanished.',
    '--source NAME   what FILE is called from one time to the next, where its name changes; else it is the file’s name.',
    ...rejectsHelp,
    'Services are matched by id, so the same file can be read again. Bad records are reported and left out,',
    'with exit status 1; of a record that is wrong in a part of it, that part alone is left out. After 1,000 records in a',
    'row that were left out the import gives up; what was stored before stays.',
    'Ctrl+C stops it once it has stored what it is reading; what was stored until then stays.',
  ],
  positionals: ['FILE_OR_URL'],
  answers: importAnswer,
  ifMissing: 'create',
  check: (input) => (isFeed(input) ? checkFeed(input) : checkFile(input)),
  async run(open, input) {
    const { values, positionals } = input;
    const dryRun = values['dry-run'] === true;
    if (isFeed(input)) return readFeed(open, input, dryRun);
    const name = isStandardInput(input) ? 'standard input' : basename(positionals[0]!);
    const source = typeof values.source === 'string' ? values.source : name;
    const complete = values.complete === true;
    const job = {
      name,
      isFeed: false,
      sourceName: source,
      isComplete: complete,
      dryRun,
    };
    const importer: Importer = (deps, actor, file, options) =>
      listImport(deps, actor, job, options.report, () =>
        importServices(deps, actor, file, { ...options, dryRun, complete, source }),
      );
    return importFile(open, input, importer, 'services', dryRun);
  },
};

const isFeed = ({ positionals: [from = ''] }: Input) => /^https?:/i.test(from);

async function checkFeed(input: Input): Promise<void> {
  if (input.values.source !== undefined)
    throw new UsageError('--source is for files: a feed is called by its address');
  await checkRejects(input);
}

async function readFeed({ platform }: OpenPlatform, input: Input, dryRun: boolean): Promise<Result> {
  const [address = ''] = input.positionals;
  const { name } = readFeedAddress(address);
  const complete = input.values.complete === true;
  const job = { name, isFeed: true, sourceName: name, isComplete: complete, dryRun };
  return runAndReport(input, 'services', dryRun, (report) =>
    listImport(platform, commandLine, job, report, () =>
      importFeed(platform, commandLine, address, {
        report,
        dryRun,
        complete,
        signal: interruptionSignal(),
        onProgress: ({ read, rejected }) => input.progress(`${read} services read, ${rejected} refused`),
      }),
    ),
  );
}

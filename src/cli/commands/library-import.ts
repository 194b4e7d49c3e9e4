import { basename } from 'node:path';
import { commandLine } from '../../accounts/index.ts';
import { importFeed, importServices, listImport, readFeedAddress } from '../../library/index.ts';
import type { OpenPlatform } from '../../open-platform.ts';
import { type Command, type Input, type Result, UsageError } from '../command.ts';
import { checkFile, importAnswer, importFile } from '../import-file.ts';
import { importResult } from '../import-words.ts';

export const libraryImport: Command = {
  usage: 'FILE_OR_URL [--dry-run] [--complete] [--source NAME]',
  options: {
    'dry-run': { type: 'boolean' },
    complete: { type: 'boolean' },
    source: { type: 'string' },
  },
  help: [
    'FILE            Open Referral (HSDS) 3.0 services as JSON or NDJSON, packed with gzip or not; or an HSDS data package',
    '                (a zip of CSV files), of version 1.0 to 3.0.',
    'URL             the address of an Open Referral UK or HSDS 3.0 feed, such as https://feed.example/api/library. The',
    '                first time all of it is read, then what changed; a reading that was cut off goes on where it stopped',
    '                if you give the address again within a day. What the feed does not list any more becomes inactive.',
    '--dry-run       writes nothing, and says what would change.',
    '--complete      FILE is all that its source has: what came from this source before and is not in FILE any more',
    '                becomes inactive. Without it nothing does. Services of other sources are never touched.',
    '                With a URL: read all of it anew, and believe it even if more than half of it has vanished.',
    '--source NAME   what FILE is called from one time to the next, where its name changes; else it is the file’s name.',
    'Services are matched by id, so the same file can be read again. Bad records are reported and left out.',
    'Ctrl+C stops it once it has stored what it is reading; what was stored until then stays.',
  ],
  positionals: ['FILE_OR_URL'],
  answers: importAnswer,
  site: 'made',
  check: (input) => (isFeed(input) ? checkFeed(input) : checkFile(input)),
  async run(open, input) {
    const { values, positionals } = input;
    const dryRun = values['dry-run'] === true;
    if (isFeed(input)) return readFeed(open, input, dryRun);
    const source = typeof values.source === 'string' ? values.source : basename(positionals[0]!);
    const complete = values.complete === true;
    const job = {
      name: basename(positionals[0]!),
      isFeed: false,
      sourceName: source,
      isComplete: complete,
      dryRun,
    };
    const importer: typeof importServices = (deps, actor, file, options) =>
      listImport(deps, actor, job, () =>
        importServices(deps, actor, file, { ...options, dryRun, complete, source }),
      );
    return importFile(open, input, importer, 'services', dryRun);
  },
};

const isFeed = ({ positionals: [from = ''] }: Input) => /^https?:/i.test(from);

function checkFeed({ values }: Input): void {
  if (values.source !== undefined)
    throw new UsageError('--source is for files: a feed is called by its address');
}

async function readFeed({ platform }: OpenPlatform, input: Input, dryRun: boolean): Promise<Result> {
  const [address = ''] = input.positionals;
  const { name } = readFeedAddress(address);
  const complete = input.values.complete === true;
  const job = { name, isFeed: true, sourceName: name, isComplete: complete, dryRun };
  const result = await listImport(platform, commandLine, job, () =>
    importFeed(platform, commandLine, address, {
      dryRun,
      complete,
      onProgress: ({ read, rejected }) => input.progress(`${read} services read, ${rejected} refused`),
    }),
  );
  input.progress('');
  return importResult(result, 'services', dryRun);
}

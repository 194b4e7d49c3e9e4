import { constants, createReadStream } from 'node:fs';
import { access, open, stat, writeFile } from 'node:fs/promises';
import { commandLineActor } from '../accounts/index.ts';
import type { Actor } from '../audit/index.ts';
import { type ImportDeps, ImportReport, type ImportResult, type OnProgress } from '../exchange/index.ts';
import { Problem } from '../platform/problem/index.ts';
import { StartupError } from '../platform/process/startup-error.ts';
import type { OpenPlatform } from '../site/open-platform.ts';
import { type Input, type Result, UsageError } from './command.ts';
import { importResult, leftOutInWords, progressBar } from './import-words.ts';
import { interruptionSignal } from './progress.ts';

/** One of the library's imports. The caller makes the report, so that it can read the report after an error too. */
export type Importer = (
  deps: ImportDeps,
  actor: Actor,
  file: AsyncIterable<Uint8Array>,
  options: { report: ImportReport; signal: AbortSignal; onProgress: OnProgress },
) => Promise<ImportResult>;

/** What `--json` prints after an import. */
export const importJsonShape =
  '{ read, created, updated, unchanged, inactive, rejected, parts_left_out, seconds, problems: [{ line, file, page, id, pointer, reason }], ' +
  'left_out: { records: [{ count, records, pointer, reason, first: [{ line, file, page, id, pointer }] }], parts: [as records] }, notes: [text] }';

export const rejectsOption = { rejects: { type: 'string' } } as const;
export const rejectsHelp = [
  '--rejects FILE.csv',
  '                lists everything that is left out in a CSV file, one a line: records first, then parts of records.',
];

/** A dash means standard input, as in other commands. */
export const isStandardInput = ({ positionals: [path] }: Input) => path === '-';

/**
 * Runs one of the library's imports on a file. What was left out goes to standard error. Rejected records make the exit
 * status 1, although the rest has been imported.
 */
export async function importFile(
  { platform }: OpenPlatform,
  input: Input,
  importer: Importer,
  { what, dryRun = false }: { what: string; dryRun?: boolean },
): Promise<Result> {
  const size = isStandardInput(input) ? undefined : await checkFile(input);
  const file = size === undefined ? process.stdin : createReadStream(input.positionals[0]!);
  let bytesRead = 0;
  async function* countBytes() {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  const content = await requireContent(countBytes(), size === undefined ? undefined : input.positionals[0]);
  return runAndReport(input, { what, dryRun }, (report) =>
    importer(platform, commandLineActor, content, {
      report,
      signal: interruptionSignal(),
      onProgress: ({ read, rejected }) => {
        const bar = size === undefined ? '' : `${progressBar(bytesRead / size)} `;
        input.showProgress(`${bar}${read} ${what} read, ${rejected} rejected`);
      },
    }),
  );
}

/** Refuses empty input, because the command that made it may have failed. @throws StartupError */
async function requireContent(content: AsyncGenerator<Buffer>, path: string | undefined) {
  const first = await content.next();
  if (first.done)
    throw new StartupError(
      path === undefined
        ? 'Nothing came on standard input, so nothing was imported. Did the command before it succeed?'
        : `${path} is empty.`,
    );
  return (async function* allContent() {
    yield first.value;
    yield* content;
  })();
}

/** Runs an import and reports its result. Also after a failure it lists what the import had left out. */
export async function runAndReport(
  input: Input,
  { what, dryRun }: { what: string; dryRun: boolean },
  run: (report: ImportReport) => ReturnType<Importer>,
): Promise<Result> {
  const report = new ImportReport();
  const { rejects } = input.values;
  const canListAll = rejects === undefined;
  try {
    const result = await run(report);
    input.clearProgress();
    return importResult(result, { what, dryRun, canListAll });
  } catch (error) {
    const lines = leftOutInWords(report.leftOut(), canListAll);
    if (error instanceof Problem && lines.length > 0) process.stderr.write(`${lines.join('\n')}\n`);
    throw error;
  } finally {
    if (typeof rejects === 'string') await writeFile(rejects, report.leftOut().csv);
  }
}

/** The `checkInput` of a command that reads a file. */
export async function checkInputFile(input: Input): Promise<void> {
  await checkFile(input);
}

/** Checks the file, and the one that --rejects names. @returns its size. @throws StartupError, UsageError */
export async function checkFile(input: Input): Promise<number | undefined> {
  const {
    positionals: [path = ''],
  } = input;
  if (isStandardInput(input)) {
    if (process.stdin.isTTY)
      throw new UsageError('- reads standard input: hand a file over, as in “< FILE” or with a pipe');
    await checkRejects(input);
    return undefined;
  }
  try {
    await access(path, constants.R_OK);
    const file = await stat(path);
    if (!file.isFile()) throw new StartupError(`${path} is not a file.`);
    await checkRejects(input, file);
    return file.size;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new StartupError(`${path} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : code}.`);
  }
}

/** Checks, before the import, that the file that --rejects names can be written. @throws UsageError, StartupError */
export async function checkRejects(
  { values: { rejects } }: Input,
  source?: { dev: number; ino: number },
): Promise<void> {
  if (typeof rejects !== 'string') return;
  const existing = await stat(rejects).catch(() => undefined);
  if (existing && source && existing.ino === source.ino && existing.dev === source.dev)
    throw new UsageError('--rejects would overwrite the file that is imported');
  try {
    // Opened for appending, so that the check does not empty an earlier list.
    await (await open(rejects, 'a')).close();
  } catch (error) {
    throw new StartupError(`${rejects} cannot be written: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

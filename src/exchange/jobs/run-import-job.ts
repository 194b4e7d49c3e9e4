import pLimit, { type LimitFunction } from 'p-limit';
import type { Actor } from '../../audit/index.ts';
import { repeat } from '../../platform/concurrency/repeat.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { describeError } from '../../platform/log/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { importFeed } from '../feeds/import-feed.ts';
import type { ImportDeps, ImportRecordsOptions } from '../import/import-records.ts';
import { importServices } from '../import/import-services.ts';
import type { Bytes } from '../import/read/bytes.ts';
import { type ImportCounts, ImportReport, type ImportResult } from '../import/report/import-report.ts';
import { feedAddressOf } from './feed-address-of.ts';
import {
  deleteImportContent,
  endImportJob,
  findChunk,
  type ImportEnd,
  type ImportJob,
  insertEndedImport,
  saveCountsAndFindStop,
  startImportJob,
} from './job-store.ts';
import { mailAboutFailedFeed } from './scheduled-feeds.ts';

/** Batches that the imports of a process save at once. Each holds a connection, and requests need the others. */
const maxBatchesAtOnce = 2;

export function importJobHandler(deps: Platform): (payload: ImportPayload) => Promise<void> {
  const limitBatches = pLimit(maxBatchesAtOnce);
  return (payload) => runImportJob(deps, payload, limitBatches);
}

type ImportPayload = { import_id: string };

/**
 * Runs an import that was started on a page. If the process dies during it, the next process starts it again, and counts what
 * was stored before as unchanged.
 */
export async function runImportJob(
  deps: Platform,
  { import_id }: ImportPayload,
  limitBatches?: LimitFunction,
): Promise<void> {
  const job = await startImportJob(deps.db, import_id, deps.clock.now());
  if (!job) return;
  const end = await runToEnd(deps, job, limitBatches);
  await inTransaction(deps.db, async (trx) => {
    await endImportJob(trx, job.id, deps.clock.now(), end);
    if (!job.dryRun || end.state === 'failed') await deleteImportContent(trx, job.id);
    if (job.isScheduled && end.failure !== undefined) await mailAboutFailedFeed(trx, deps, job, end.failure);
  });
}

/** How often a running import saves its counts, and asks whether somebody stopped it. */
const pollMs = 250;

type StartedJob = ImportJob & { wasRunning: boolean };

const restartedNote =
  'The site stopped in the middle of this import and began it again. What it had stored by then counts as “the same as before”.';

async function runToEnd(
  deps: Platform,
  job: StartedJob,
  limitBatches: LimitFunction | undefined,
): Promise<ImportEnd> {
  let counts: ImportCounts | undefined;
  const report = new ImportReport();
  const failedEnd = (failure: string) =>
    ({ state: 'failed', counts, leftOut: report.leftOut(), failure }) as const;
  const stopController = new AbortController();
  const stopIf = (stoppedBy: string | null) => {
    if (stoppedBy !== null) stopController.abort(new Problem(unprocessable, `${stoppedBy} stopped it.`));
  };
  const watch = repeat(
    deps.log,
    { everyMs: pollMs, failureMessage: 'an import cannot be stopped' },
    async () => {
      stopIf(await saveCountsAndFindStop(deps.db, job.id, counts));
    },
  );
  try {
    // Somebody may have stopped the import just before the process died that ran it.
    stopIf(job.stoppedBy);
    stopController.signal.throwIfAborted();
    const result = await importFileOrFeed(deps, job, {
      report,
      signal: stopController.signal,
      onProgress: (now) => {
        counts = { ...now };
      },
      ...(limitBatches && { limitBatches }),
    });
    if (job.wasRunning && !job.dryRun) result.notes.unshift(restartedNote);
    return {
      ...toImportEnd(result),
      ...(job.dryRun && { wouldMark: report.wouldMark, wouldChange: report.wouldChange }),
    };
  } catch (error) {
    if (error instanceof Problem) return failedEnd(failureInWords(error));
    deps.log.error({ import_id: job.id, error: describeError(error) }, 'an import failed');
    return failedEnd('The import failed because of an error in the site. See its log.');
  } finally {
    await watch.stop();
  }
}

async function importFileOrFeed(
  deps: Platform,
  job: ImportJob,
  runOptions: ImportRecordsOptions & { signal: AbortSignal },
): Promise<ImportResult> {
  const actor = { id: job.accountId, name: job.startedBy, role: 'operator' };
  const options = { ...runOptions, importId: job.id, dryRun: job.dryRun, complete: job.isComplete };
  if (job.isFeed) return importFeed(deps, actor, await feedAddressOf(deps, job), options);
  return importServices(deps, actor, fileOf(deps, job, runOptions.signal), {
    ...options,
    source: job.sourceName,
  });
}

/** @throws Problem if the file is gone: an empty one would make all services of its source inactive. */
async function* fileOf({ db }: Platform, { id }: ImportJob, signal: AbortSignal): Bytes {
  for (let number = 0; ; number += 1) {
    signal.throwIfAborted();
    const chunk = await findChunk(db, id, number);
    if (!chunk && number === 0)
      throw new Problem(unprocessable, 'Its file is no longer stored: upload it and preview it again.');
    if (!chunk) return;
    yield chunk;
  }
}

/** RFC 9562's nil UUID, for imports that no account started: the column needs a value, and refers to no other table. */
const noAccount = '00000000-0000-0000-0000-000000000000';

type ImportJobEntry = Pick<ImportJob, 'name' | 'isFeed' | 'sourceName' | 'isComplete' | 'dryRun'>;

/** Runs an import that no page started, and lists it among those of the page once it has ended. */
export async function runListedImport(
  { db, clock }: ImportDeps,
  actor: Actor,
  job: ImportJobEntry,
  report: ImportReport,
  run: (importId: string) => Promise<ImportResult>,
): Promise<ImportResult> {
  const createdAt = clock.now();
  const id = newId(createdAt.getTime());
  const write = (end: ImportEnd) =>
    inTransaction(db, (trx) => {
      const owner = { accountId: actor.id ?? noAccount, startedBy: actor.name, createdAt };
      return insertEndedImport(trx, id, { ...job, ...owner }, clock.now(), end);
    });
  try {
    const result = await run(id);
    await write(toImportEnd(result));
    return result;
  } catch (error) {
    // A Problem has words for people. The caller reports every other fault.
    if (error instanceof Problem)
      await write({ ...endOfInterruptedImport(report), failure: failureInWords(error) });
    throw error;
  }
}

function toImportEnd({ seconds: _, problems: __, ...result }: ImportResult): ImportEnd {
  const { leftOut, notes, gaveUp, ...counts } = result;
  const warning = notes.filter((note) => note !== gaveUp).join('\n') || undefined;
  if (gaveUp === undefined) return { state: 'done', counts, leftOut, warning };
  return { state: 'failed', counts, leftOut, warning, failure: gaveUp };
}

/** The end of an interrupted import, with the counts up to then: they may show why it was interrupted. */
function endOfInterruptedImport(report: ImportReport): ImportEnd {
  const { counts } = report;
  return { state: 'failed', counts: counts.read > 0 ? counts : undefined, leftOut: report.leftOut() };
}

function failureInWords(problem: Problem): string {
  const reasons = problem.errors?.map(({ message }) => message) ?? [];
  return [problem.detail ?? problem.message, ...reasons].join(' ');
}

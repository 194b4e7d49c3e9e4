import type { Actor } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { describeError } from '../../platform/log/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { repeat } from '../../platform/repeat.ts';
import { importFeed } from '../feeds/import-feed.ts';
import type { ImportDeps } from '../import/import-records.ts';
import { importServices } from '../import/import-services.ts';
import type { Bytes } from '../import/read/open-file.ts';
import { type ImportCounts, ImportReport, type ImportResult } from '../import/report/import-report.ts';
import {
  deleteFile,
  endImportJob,
  findChunk,
  type ImportEnd,
  type ImportJob,
  insertEndedImport,
  saveImportCounts,
  startImportJob,
} from './job-store.ts';

/**
 * Does an import that was asked for on the page. Where a process dies over it, the next one begins it again: what was
 * stored is found to be so, and counts as unchanged, which the page says.
 */
export async function runImportJob(deps: Platform, { import_id }: { import_id: string }): Promise<void> {
  const job = await startImportJob(deps.db, import_id, deps.clock.now());
  if (!job) return;
  const end = await outcome(deps, job);
  await inTransaction(deps.db, async (trx) => {
    await endImportJob(trx, job.id, deps.clock.now(), end);
    if (!job.dryRun || end.state === 'failed') await deleteFile(trx, job.id);
  });
}

/** How often it looks whether somebody wants it stopped, whatever it is doing; and says how far it is. */
const lookEveryMs = 250;

type BegunJob = ImportJob & { wasBegun: boolean };

const begunAgain =
  'The site stopped in the middle of this import and began it again. What it had stored by then counts as “the same as before”.';

async function outcome(deps: Platform, job: BegunJob): Promise<ImportEnd> {
  let counts: ImportCounts | undefined;
  const report = new ImportReport();
  const failed = (failure: string) =>
    ({ state: 'failed', counts, leftOut: report.leftOut(), failure }) as const;
  const stopping = new AbortController();
  const stopIf = (by: string | null) => {
    if (by !== null) stopping.abort(new Problem(unprocessable, `${by} stopped it.`));
  };
  const watch = repeat(
    deps.log,
    { everyMs: lookEveryMs, whenItFails: 'an import cannot be stopped' },
    async () => {
      stopIf(await saveImportCounts(deps.db, job.id, counts));
    },
  );
  try {
    // By somebody, before a process that then died could do so.
    stopIf(job.stoppedBy);
    stopping.signal.throwIfAborted();
    const result = await doImport(deps, job, { report, signal: stopping.signal }, (now) => {
      counts = { ...now };
    });
    if (job.wasBegun && !job.dryRun) result.notes.unshift(begunAgain);
    return endOf(result);
  } catch (error) {
    if (error instanceof Problem) return failed(failureInWords(error));
    deps.log.error({ import_id: job.id, error: describeError(error) }, 'an import failed');
    return failed('The site met a fault of its own; its log says which.');
  } finally {
    await watch.stop();
  }
}

/** @param note is told what is stored by now. @throws the reason of the signal: it ends there, as at a fault. */
async function doImport(
  deps: Platform,
  job: ImportJob,
  { report, signal }: { report: ImportReport; signal: AbortSignal },
  note: (counts: ImportCounts) => void,
): Promise<ImportResult> {
  const actor = { id: job.accountId, name: job.startedBy, role: 'operator' };
  const options = { report, dryRun: job.dryRun, complete: job.isComplete, signal, onProgress: note };
  if (job.isFeed) return importFeed(deps, actor, await addressOf(deps, job), options);
  return importServices(deps, actor, fileOf(deps, job, signal), { ...options, source: job.sourceName });
}

/** In full, where its name leaves something out. */
async function addressOf({ db }: Platform, { id, name }: ImportJob): Promise<string> {
  return (await findChunk(db, id, 0))?.toString() ?? name;
}

/** @throws Problem where it is gone: as an empty file, it would make all of its source inactive. */
async function* fileOf({ db }: Platform, { id }: ImportJob, signal: AbortSignal): Bytes {
  for (let number = 0; ; number += 1) {
    signal.throwIfAborted();
    const chunk = await findChunk(db, id, number);
    if (!chunk && number === 0)
      throw new Problem(unprocessable, 'Its file is no longer kept: try it out again.');
    if (!chunk) return;
    yield chunk;
  }
}

/** RFC 9562's nil: nobody's account. */
const noAccount = '00000000-0000-0000-0000-000000000000';

type Listed = Pick<ImportJob, 'name' | 'isFeed' | 'sourceName' | 'isComplete' | 'dryRun'>;

/** Has an import that no page began stand among those of the page, once it is over; whatever came of it. */
export async function listImport(
  { db, clock }: ImportDeps,
  actor: Actor,
  job: Listed,
  report: ImportReport,
  run: () => Promise<ImportResult>,
): Promise<ImportResult> {
  const createdAt = clock.now();
  const write = (end: ImportEnd) =>
    inTransaction(db, (trx) => {
      const whose = { accountId: actor.id ?? noAccount, startedBy: actor.name, createdAt };
      return insertEndedImport(trx, newId(createdAt.getTime()), { ...job, ...whose }, clock.now(), end);
    });
  try {
    const result = await run();
    await write(endOf(result));
    return result;
  } catch (error) {
    // A refusal has words for people, and every other fault is told by whoever began it.
    if (error instanceof Problem)
      await write({ ...endOfInterrupted(report), failure: failureInWords(error) });
    throw error;
  }
}

function endOf({ seconds: _, problems: __, ...result }: ImportResult): ImportEnd {
  const { leftOut, notes, gaveUp, ...counts } = result;
  const warning = notes.filter((note) => note !== gaveUp).join('\n') || undefined;
  if (gaveUp === undefined) return { state: 'done', counts, leftOut, warning };
  return { state: 'failed', counts, leftOut, warning, failure: gaveUp };
}

/** What it came to by then: also what it had left out, which may be why it was broken off. */
function endOfInterrupted(report: ImportReport): ImportEnd {
  const { counts } = report;
  return { state: 'failed', counts: counts.read > 0 ? counts : undefined, leftOut: report.leftOut() };
}

function failureInWords(problem: Problem): string {
  const reasons = problem.errors?.map(({ message }) => message) ?? [];
  return [problem.detail ?? problem.message, ...reasons].join(' ');
}

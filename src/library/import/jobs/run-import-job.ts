import { inTransaction } from '../../../platform/database/index.ts';
import { describeError } from '../../../platform/log/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import { importFeed } from '../feed/import-feed.ts';
import type { ImportCounts, ImportResult } from '../import-report.ts';
import { importServices } from '../import-services.ts';
import type { Bytes } from '../open-file.ts';
import type { ImportJob } from './import-job.ts';
import {
  deleteFile,
  endImportJob,
  findChunk,
  type ImportEnd,
  saveImportCounts,
  startImportJob,
} from './job-store.ts';
import { endOf, failureInWords } from './list-import.ts';

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

type BegunJob = ImportJob & { wasBegun: boolean };

const begunAgain =
  'The site stopped in the middle of this import and began it again. What it had stored by then counts as “the same as before”.';

async function outcome(deps: Platform, job: BegunJob): Promise<ImportEnd> {
  let counts: ImportCounts | undefined;
  try {
    refuseStopped(job.stoppedBy);
    const result = await doImport(deps, job, (now) => {
      counts = { ...now };
    });
    if (job.wasBegun && !job.dryRun) result.notes.unshift(begunAgain);
    return endOf(result);
  } catch (error) {
    if (error instanceof Problem) return { state: 'failed', counts, failure: failureInWords(error) };
    deps.log.error({ import_id: job.id, error: describeError(error) }, 'an import failed');
    return { state: 'failed', counts, failure: 'The site met a fault of its own; its log says which.' };
  }
}

/** @param note is told what is stored by now. */
async function doImport(
  deps: Platform,
  job: ImportJob,
  note: (counts: ImportCounts) => void,
): Promise<ImportResult> {
  const actor = { id: job.accountId, name: job.startedBy, role: 'operator' };
  let stoppedBy: string | null = null;
  const options = {
    dryRun: job.dryRun,
    complete: job.isComplete,
    onProgress: (counts: ImportCounts) => {
      note(counts);
      refuseStopped(stoppedBy);
      // Only to be looked at: where it cannot be written, the import goes on.
      void saveImportCounts(deps.db, job.id, counts).then(
        (by) => {
          stoppedBy = by;
        },
        () => undefined,
      );
    },
  };
  if (job.isFeed) return importFeed(deps, actor, await addressOf(deps, job), options);
  return importServices(deps, actor, fileOf(deps, job), { ...options, source: job.sourceName });
}

/** @throws Problem where somebody wants the import stopped: it ends there, as at a fault. */
function refuseStopped(by: string | null): void {
  if (by !== null) throw new Problem(unprocessable, `${by} stopped it.`);
}

/** In full, where its name leaves something out. */
async function addressOf({ db }: Platform, { id, name }: ImportJob): Promise<string> {
  return (await findChunk(db, id, 0))?.toString() ?? name;
}

/** @throws Problem where it is gone: as an empty file, it would make all of its source inactive. */
async function* fileOf({ db }: Platform, { id }: ImportJob): Bytes {
  for (let number = 0; ; number += 1) {
    const chunk = await findChunk(db, id, number);
    if (!chunk && number === 0)
      throw new Problem(unprocessable, 'Its file is no longer kept: try it out again.');
    if (!chunk) return;
    yield chunk;
  }
}

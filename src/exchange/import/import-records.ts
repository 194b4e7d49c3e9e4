import pLimit, { type LimitFunction } from 'p-limit';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { updateStatistics } from '../../library/index.ts';
import { createYielder } from '../../platform/concurrency/yielder.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { acceptRecord } from './check/accept-record.ts';
import type { FilePosition, FileRecord, Standalone } from './model/record.ts';
import { ImportReport, type ImportResult, maxSilenceMs, type OnProgress } from './report/import-report.ts';
import type { ImportedService, ImportRun, ImportSource } from './report/import-run.ts';
import { makeVanishedInactive, noteMissingOrganizations } from './store/after-last-record.ts';
import { compareBatch } from './store/compare-batch.ts';
import { saveBatch } from './store/save-batch.ts';
import { saveStandalone } from './store/save-standalone.ts';
import { findOrMakeSource } from './store/source-store.ts';

export type ImportDeps = Pick<Platform, 'db' | 'clock'>;

export type ImportRecordsOptions = {
  onProgress?: OnProgress;
  /** The id of the import. With it, the site stores how the services were before, so that the import can be undone. */
  importId?: string;
  /** Makes a preview: counts what would change, and writes nothing. */
  dryRun?: boolean;
  /** The caller's own report, which it can read even if the import breaks off. */
  report?: ImportReport;
  /** Stops the import, with its reason, also while records that cannot be read are skipped. */
  signal?: AbortSignal;
  /** Shared by the imports of a process, which must leave database connections to others. */
  limitBatches?: LimitFunction;
};

/** Large enough that the round trips to the database cost little, small enough that a batch is about a megabyte. */
const batchSize = 500;
/** Characters of one batch. A batch of the longest records would keep the process busy for seconds. */
const maxBatchLength = 4 * 1024 ** 2;
/** After this many changes the planner's statistics are updated at once. */
const manyChanges = 500;

/**
 * Imports records from any source into the library.
 * @throws the reason of the signal, once that is aborted. What was stored by then stays.
 */
export async function importRecords(
  deps: ImportDeps,
  actor: Actor,
  source: ImportSource,
  {
    onProgress,
    importId,
    dryRun = false,
    report = new ImportReport(),
    signal,
    limitBatches = pLimit(1),
  }: ImportRecordsOptions = {},
): Promise<ImportResult> {
  const run = await startRun(deps, actor, source, { importId, dryRun, report });
  let isComplete = false;
  try {
    await saveRecords(run, source, { onProgress, signal, limitBatches });
    signal?.throwIfAborted();
    isComplete = !report.hasGivenUp;
    if (isComplete) await makeVanishedInactive(run, source);
    await noteMissingOrganizations(run);
  } finally {
    // What was stored before a fault stays, so the audit must say who stored it.
    await recordImport(deps, actor, run, source.name, isComplete);
  }
  return report.result((deps.clock.now().getTime() - run.author.at.getTime()) / 1000);
}

async function startRun(
  { db, clock }: ImportDeps,
  actor: Actor,
  source: ImportSource,
  { importId, dryRun, report }: Pick<ImportRun, 'importId' | 'dryRun' | 'report'>,
): Promise<ImportRun> {
  const at = clock.now();
  const { name, isFeed } = source;
  const sourceId = name === undefined ? undefined : await findOrMakeSource(db, { name, isFeed, dryRun }, at);
  const author = { at, name: name ?? actor.name, accountId: actor.id, sourceId };
  return { db, importId, author, dryRun, report, savedWords: new Set() };
}

type SavingOptions = {
  onProgress: OnProgress | undefined;
  signal: AbortSignal | undefined;
  limitBatches: LimitFunction;
};

async function saveRecords(
  run: ImportRun,
  source: ImportSource,
  { onProgress, signal, limitBatches }: SavingOptions,
): Promise<void> {
  // While PostgreSQL saves a batch, this process reads the next one and compares it.
  let savePromise: Promise<void> = Promise.resolve();
  try {
    for await (const { services, standalone, last } of batches(source.records, run, signal)) {
      const comparedBatch = await compareBatch(run, services);
      await savePromise;
      const save = async () => {
        await saveBatch(run, comparedBatch);
        await saveStandalone(run, standalone);
      };
      savePromise = limitBatches(save).then(async () => {
        if (last && !run.dryRun) await source.onStored?.(last);
        onProgress?.(run.report.counts);
      });
      // If it fails, the next `await` throws; until then it must not count as unhandled.
      savePromise.catch(() => undefined);
    }
  } finally {
    // Also if reading failed: an import has not ended while its last batch is still being saved.
    await Promise.allSettled([savePromise]);
  }
  await savePromise;
}

type Batch = { services: ImportedService[]; standalone: Standalone[]; last: FilePosition | undefined };

async function* batches(
  records: AsyncIterable<FileRecord>,
  run: ImportRun,
  signal: AbortSignal | undefined,
): AsyncGenerator<Batch> {
  const yielder = createYielder(signal);
  let length = 0;
  let sinceMs = performance.now();
  const firstPositions = new Map<string, FilePosition>();
  let batch: Batch = { services: [], standalone: [], last: undefined };
  let fault: unknown;
  try {
    for await (const record of records) {
      signal?.throwIfAborted();
      if (yielder.shouldYield()) await yielder.yieldNow();
      const acceptedRecord = acceptRecord(record, run, firstPositions);
      batch.last = record;
      if (acceptedRecord && 'service' in acceptedRecord) {
        batch.services.push(acceptedRecord);
        length += acceptedRecord.service.text.length;
      } else if (acceptedRecord) batch.standalone.push(acceptedRecord.standalone);
      if (!('note' in record)) run.report.countRecord(acceptedRecord ? 'accepted' : 'rejected');
      if (run.report.hasGivenUp) break;
      const count = batch.services.length + batch.standalone.length;
      const isFull = count >= batchSize || length >= maxBatchLength;
      const isSilent = count === 0 && performance.now() - sinceMs >= maxSilenceMs;
      if (!isFull && !isSilent) continue;
      yield batch;
      batch = { services: [], standalone: [], last: undefined };
      length = 0;
      sinceMs = performance.now();
    }
  } catch (error) {
    fault = error;
  }
  // Records before the error are still imported.
  yield batch;
  if (fault !== undefined) throw fault;
}

/** Updates statistics after many changes, and audits what was stored. A preview stored nothing. */
async function recordImport(
  { db, clock }: ImportDeps,
  actor: Actor,
  { report, dryRun, author }: ImportRun,
  source: string | undefined,
  isComplete: boolean,
): Promise<void> {
  if (dryRun) return;
  const { created, updated, inactive } = report.counts;
  if (created + updated + inactive >= manyChanges) await updateStatistics(db);
  const at = clock.now();
  const seconds = (at.getTime() - author.at.getTime()) / 1000;
  const details = { ...report.counts, seconds, source, ...(!isComplete && { interrupted: true }) };
  await inTransaction(db, async (trx) => {
    await recordAudit(trx, { at, actor, action: 'library.imported', details });
  });
}

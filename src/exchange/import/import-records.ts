import pLimit from 'p-limit';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { updateStatistics } from '../../library/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { takeTurns } from '../../platform/take-turns.ts';
import { acceptRecord } from './check/accept-record.ts';
import { ImportReport, type ImportResult, maxSilenceMs, type OnProgress } from './report/import-report.ts';
import type { ImportRun, Incoming, Reading } from './report/import-run.ts';
import type { FileRecord, Place, Standalone } from './report/record.ts';
import { noteDangling, retireVanished } from './store/close-import.ts';
import { saveBatch } from './store/save-batch.ts';
import { saveStandalone } from './store/save-standalone.ts';
import { useSource } from './store/source-store.ts';

export type ImportDeps = Pick<Platform, 'db' | 'clock'>;

export type ImportRecordsOptions = {
  onProgress?: OnProgress;
  /** Says what would change, and changes nothing. */
  dryRun?: boolean;
  /** One that its caller looks at also where the import is broken off. */
  report?: ImportReport;
  /** Stops it, with its reason, also in the middle of what cannot be read. */
  signal?: AbortSignal;
};

/** Large enough that the journeys to the database cost nothing, small enough that a batch weighs a megabyte. */
const batchSize = 500;
/** Several imports may wait for their sources at once, but may not use up the process's database connections. */
const limitSaving = pLimit(2);
/** In characters: a batch of the longest records would hold the process up for seconds. */
const maxWeight = 4 * 1024 ** 2;
/** From here on it pays to bring the planner and the search index up to date at once. */
const manyChanges = 500;

/**
 * Reads records into the library, whatever they come from. @throws the reason of the signal, once that is aborted: what was
 * stored by then stays
 */
export async function importRecords(
  deps: ImportDeps,
  actor: Actor,
  reading: Reading,
  { onProgress, dryRun = false, report = new ImportReport(), signal }: ImportRecordsOptions = {},
): Promise<ImportResult> {
  const run = await startRun(deps, actor, reading.sourceName, dryRun, report);
  let isRead = false;
  try {
    await saveAll(run, reading, onProgress, signal);
    signal?.throwIfAborted();
    isRead = !run.report.hasGivenUp;
    if (isRead) await retireVanished(run, reading);
    await noteDangling(run);
  } finally {
    // What was stored before a fault stays, so it is written down who stored it.
    await finish(deps, actor, run, reading.sourceName, isRead);
  }
  return run.report.result((deps.clock.now().getTime() - run.author.at.getTime()) / 1000);
}

async function startRun(
  { db, clock }: ImportDeps,
  actor: Actor,
  sourceName: string | undefined,
  dryRun: boolean,
  report: ImportReport,
): Promise<ImportRun> {
  const at = clock.now();
  const sourceId = sourceName === undefined ? undefined : await useSource(db, sourceName, at, dryRun);
  const author = { at, name: sourceName ?? actor.name, accountId: actor.id, sourceId };
  return { db, author, dryRun, report, knownWords: new Set() };
}

async function saveAll(
  run: ImportRun,
  reading: Reading,
  onProgress: OnProgress | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  // One batch is written while the next one is read: the two use different processors.
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const { services, standalone, last } of batches(reading.records, run, signal)) {
      await writing;
      const save = async () => {
        await saveBatch(run, services);
        await saveStandalone(run, standalone);
      };
      writing = limitSaving(save).then(async () => {
        if (last && !run.dryRun) await reading.saved?.(last);
        onProgress?.(run.report.counts);
      });
      // Its failure is met at the next `await`; until then it is not unhandled.
      writing.catch(() => undefined);
    }
  } finally {
    // Also where reading failed: nobody is told that an import has ended while its last batch is still being written.
    await Promise.allSettled([writing]);
  }
  await writing;
}

type Batch = { services: Incoming[]; standalone: Standalone[]; last: Place | undefined };

async function* batches(
  records: AsyncIterable<FileRecord>,
  run: ImportRun,
  signal: AbortSignal | undefined,
): AsyncGenerator<Batch> {
  const turns = takeTurns(signal);
  let weight = 0;
  let sinceMs = performance.now();
  const seen = new Map<string, Place>();
  let batch: Batch = { services: [], standalone: [], last: undefined };
  let fault: unknown;
  try {
    for await (const record of records) {
      signal?.throwIfAborted();
      if (turns.areOver()) await turns.rest();
      const accepted = acceptRecord(record, run, seen);
      batch.last = record;
      if (accepted && 'service' in accepted) {
        batch.services.push(accepted.service);
        weight += accepted.service.said.text.length;
      } else if (accepted) batch.standalone.push(accepted.standalone);
      if (!('note' in record) && run.report.givesUpAfter(accepted ? 'taken' : 'refused')) break;
      const count = batch.services.length + batch.standalone.length;
      const isFull = count >= batchSize || weight >= maxWeight;
      const isSilent = count === 0 && performance.now() - sinceMs >= maxSilenceMs;
      if (!isFull && !isSilent) continue;
      yield batch;
      batch = { services: [], standalone: [], last: undefined };
      weight = 0;
      sinceMs = performance.now();
    }
  } catch (error) {
    fault = error;
  }
  // What came before a fault was read well.
  yield batch;
  if (fault !== undefined) throw fault;
}

async function finish(
  { db, clock }: ImportDeps,
  actor: Actor,
  { report, dryRun, author }: ImportRun,
  source: string | undefined,
  isRead: boolean,
): Promise<void> {
  if (dryRun) return;
  const { created, updated, inactive } = report.counts;
  if (created + updated + inactive >= manyChanges) await updateStatistics(db);
  const at = clock.now();
  const seconds = (at.getTime() - author.at.getTime()) / 1000;
  const details = { ...report.counts, seconds, source, ...(!isRead && { interrupted: true }) };
  await inTransaction(db, async (trx) => {
    await recordAudit(trx, { at, actor, action: 'library.imported', details });
  });
}

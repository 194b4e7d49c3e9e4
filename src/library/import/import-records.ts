import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { acceptRecord } from './accept-record.ts';
import type { FileRecord, Place } from './file-record.ts';
import { ImportReport, type ImportResult, type OnProgress } from './import-report.ts';
import type { ImportRun, Incoming } from './import-run.ts';
import type { Loose } from './loose.ts';
import { noteDangling } from './note-dangling.ts';
import type { Reading } from './reading.ts';
import { retireVanished } from './retire-vanished.ts';
import { saveBatch } from './save-batch.ts';
import { saveLoose } from './save-loose.ts';
import { useSource } from './source-store.ts';
import { settleTables } from './store.ts';

export type ImportDeps = Pick<Platform, 'db' | 'clock'>;

/** Large enough that the journeys to the database cost nothing, small enough that a batch weighs a megabyte. */
const batchSize = 500;
/** From here on it pays to bring the planner and the search index up to date at once. */
const manyChanges = 500;

/** Reads records into the library, whatever they come from. */
export async function importRecords(
  deps: ImportDeps,
  actor: Actor,
  reading: Reading,
  { onProgress, dryRun = false }: { onProgress?: OnProgress; dryRun?: boolean } = {},
): Promise<ImportResult> {
  const run = await startRun(deps, actor, reading.sourceName, dryRun);
  let isRead = false;
  try {
    await saveAll(run, reading, onProgress);
    await retireVanished(run, reading);
    await noteDangling(run);
    isRead = true;
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
): Promise<ImportRun> {
  const at = clock.now();
  const sourceId = sourceName === undefined ? undefined : await useSource(db, sourceName, at, dryRun);
  const author = { at, name: sourceName ?? actor.name, accountId: actor.id, sourceId };
  return { db, author, dryRun, report: new ImportReport(), knownWords: new Set() };
}

async function saveAll(run: ImportRun, reading: Reading, onProgress: OnProgress | undefined): Promise<void> {
  // One batch is written while the next one is read: the two use different processors.
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const { services, loose, last } of batches(reading.records, run)) {
      await writing;
      writing = saveBatch(run, services).then(async () => {
        await saveLoose(run, loose);
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

type Batch = { services: Incoming[]; loose: Loose[]; last: Place | undefined };

async function* batches(records: AsyncIterable<FileRecord>, run: ImportRun): AsyncGenerator<Batch> {
  const seen = new Map<string, Place>();
  let batch: Batch = { services: [], loose: [], last: undefined };
  let fault: unknown;
  try {
    for await (const record of records) {
      const accepted = acceptRecord(record, run, seen);
      batch.last = record;
      if (accepted && 'service' in accepted) batch.services.push(accepted.service);
      else if (accepted) batch.loose.push(accepted.loose);
      if (batch.services.length + batch.loose.length < batchSize) continue;
      yield batch;
      batch = { services: [], loose: [], last: undefined };
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
  if (created + updated + inactive >= manyChanges) await settleTables(db);
  const at = clock.now();
  const seconds = (at.getTime() - author.at.getTime()) / 1000;
  const details = { ...report.counts, seconds, source, ...(!isRead && { interrupted: true }) };
  await inTransaction(db, async (trx) => {
    await recordAudit(trx, { at, actor, action: 'library.imported', details });
  });
}

import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { checkRecord } from './check-record.ts';
import { ImportReport, type ImportResult, type OnProgress } from './import-report.ts';
import type { Bytes } from './open-file.ts';
import { type FileRecord, readRecords } from './read-records.ts';
import { type Incoming, saveBatch } from './save-batch.ts';
import { serviceRow } from './service-row.ts';
import { settleTables } from './store.ts';

export type ImportOptions = { onProgress?: OnProgress };
export type ImportDeps = Pick<Platform, 'db' | 'clock'>;

/** Large enough that the journeys to the database cost nothing, small enough that a batch weighs a megabyte. */
const batchSize = 500;
/** From here on it pays to bring the planner and the search index up to date at once. */
const manyChanges = 500;

/**
 * Reads services into the library: HSDS 3.0 as NDJSON, a JSON list or API pages, packed with gzip or not. Rows are
 * matched by id, and what is the same stays untouched, so a second import of a file changes nothing. A bad record is
 * left out and reported; everything else goes in. Of records with the same id the first counts, and the others are
 * reported. What stands when the import is interrupted stays, and importing again completes it.
 */
export async function importServices(
  deps: ImportDeps,
  actor: Actor,
  source: Bytes,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const started = deps.clock.now();
  const report = new ImportReport();
  const knownWords = new Set<string>();
  // One batch is written while the next one is read: the two use different processors.
  let writing: Promise<void> = Promise.resolve();
  for await (const batch of batches(readRecords(source), started, report)) {
    await writing;
    writing = saveBatch(deps.db, batch, started, knownWords, report).then(() =>
      options.onProgress?.(report.counts),
    );
    // Its failure is met at the next `await`; until then it is not unhandled.
    writing.catch(() => undefined);
  }
  await writing;
  return finish(deps, report, started, actor);
}

async function* batches(
  records: AsyncIterable<FileRecord>,
  now: Date,
  report: ImportReport,
): AsyncGenerator<Incoming[]> {
  const lines = new Map<string, number>();
  let batch: Incoming[] = [];
  for await (const record of records) {
    report.counts.read += 1;
    const incoming = accept(record, now, lines, report);
    if (!incoming) continue;
    batch.push(incoming);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

function accept(
  record: FileRecord,
  now: Date,
  lines: Map<string, number>,
  report: ImportReport,
): Incoming | undefined {
  const { line } = record;
  if ('reason' in record) {
    report.reject(line, undefined, { pointer: '', reason: record.reason });
    return undefined;
  }
  const checked = checkRecord(record.value);
  if ('errors' in checked) {
    const errors = checked.errors.map(({ pointer, message }) => ({ pointer, reason: message }));
    report.reject(line, checked.id, ...errors);
    return undefined;
  }
  const { service, lastModified } = checked;
  const earlier = lines.get(service.id);
  if (earlier !== undefined) {
    report.reject(line, service.id, {
      pointer: '/id',
      reason: `is the id of the record on line ${earlier} too`,
    });
    return undefined;
  }
  lines.set(service.id, line);
  return { line, row: serviceRow(service, lastModified, now), dated: lastModified !== undefined };
}

async function finish(
  deps: ImportDeps,
  report: ImportReport,
  started: Date,
  actor: Actor,
): Promise<ImportResult> {
  const { created, updated } = report.counts;
  if (created + updated >= manyChanges) await settleTables(deps.db);
  const at = deps.clock.now();
  const result = report.result((at.getTime() - started.getTime()) / 1000);
  const { problems: _, ...details } = result;
  await inTransaction(deps.db, (trx) => recordAudit(trx, { at, actor, action: 'library.imported', details }));
  return result;
}

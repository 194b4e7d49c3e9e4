import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { FieldError } from '../../platform/problem/index.ts';
import type { ImportDeps } from './import-records.ts';
import { ImportReport, type ImportResult, type OnProgress } from './import-report.ts';
import type { Bytes } from './open-file.ts';
import { type Column, readCsv } from './read-csv.ts';

/** What a CSV file is read into: GP practices, postcodes. */
export type CsvImport<T extends object> = {
  columns: readonly Column[];
  batchSize: number;
  /** What the audit calls it, such as `practices.imported`. */
  action: string;
  /** What a line tells of, or what is wrong with it. It is asked once for each line, in their order. */
  read(values: Readonly<Record<string, string>>, line: number): T | Refusal;
  /** Stores a batch, or with a dry run only says what that would do. */
  save(batch: readonly T[]): Promise<{ created: number; updated: number }>;
};

type Refusal = { id?: string | undefined; errors: readonly FieldError[] };
type Options = { onProgress?: OnProgress; dryRun?: boolean };

/**
 * Reads CSV, one transaction a batch. A bad line is left out and reported; everything else goes in.
 * @throws Problem `unprocessable` where the first line does not name the columns.
 */
export async function importCsv<T extends object>(
  { db, clock }: ImportDeps,
  actor: Actor,
  source: Bytes,
  into: CsvImport<T>,
  { onProgress, dryRun = false }: Options,
): Promise<ImportResult> {
  const started = clock.now();
  const report = new ImportReport();
  const { counts } = report;
  const seconds = () => (clock.now().getTime() - started.getTime()) / 1000;
  let isRead = false;
  try {
    for await (const batch of batches(source, into, report)) {
      const { created, updated } = await into.save(batch);
      counts.created += created;
      counts.updated += updated;
      counts.unchanged += batch.length - created - updated;
      onProgress?.(counts);
    }
    isRead = true;
  } finally {
    // What was stored before a fault stays, so it is written down who stored it.
    const details = { ...counts, seconds: seconds(), ...(!isRead && { interrupted: true }) };
    const entry = { at: clock.now(), actor, action: into.action, details };
    if (!dryRun) await inTransaction(db, (trx) => recordAudit(trx, entry));
  }
  return report.result(seconds());
}

async function* batches<T extends object>(
  source: Bytes,
  { columns, read, batchSize }: CsvImport<T>,
  report: ImportReport,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const line of readCsv(source, columns)) {
    report.counts.read += 1;
    const thing = 'reason' in line ? refusal(line.reason) : read(line.values, line.line);
    if ('errors' in thing) {
      const errors = thing.errors.map(({ pointer, message }) => ({ pointer, reason: message }));
      report.reject(line, thing.id, ...errors);
      continue;
    }
    batch.push(thing);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function refusal(message: string): Refusal {
  return { errors: [{ pointer: '', message }] };
}

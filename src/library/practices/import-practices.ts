import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { ImportReport, type ImportResult } from '../import/import-report.ts';
import type { ImportDeps, ImportOptions } from '../import/import-services.ts';
import type { Bytes } from '../import/open-file.ts';
import { type CsvLine, readCsv } from '../import/read-csv.ts';
import { type Practice, practiceColumns, practiceFromLine } from './practice.ts';
import { savePractices } from './store.ts';

const batchSize = 1000;

/**
 * Reads GP practices from CSV with the columns `ods_code,name` and, where known, `address,city,postcode,latitude,
 * longitude,phone`. Rows are matched by code; a bad line is left out and reported; how a practice is reached stays.
 * @throws Problem `unprocessable` where the first line does not name the columns.
 */
export async function importPractices(
  deps: ImportDeps,
  actor: Actor,
  source: Bytes,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const started = deps.clock.now();
  const report = new ImportReport();
  for await (const batch of batches(readCsv(source, practiceColumns), report)) {
    if (batch.length > 0) {
      const { created, updated } = await inTransaction(deps.db, (trx) => savePractices(trx, batch, started));
      report.counts.created += created;
      report.counts.updated += updated;
      report.counts.unchanged += batch.length - created - updated;
    }
    options.onProgress?.(report.counts);
  }
  const at = deps.clock.now();
  const result = report.result((at.getTime() - started.getTime()) / 1000);
  const { problems: _, ...details } = result;
  await inTransaction(deps.db, (trx) =>
    recordAudit(trx, { at, actor, action: 'practices.imported', details }),
  );
  return result;
}

async function* batches(lines: AsyncIterable<CsvLine>, report: ImportReport): AsyncGenerator<Practice[]> {
  const seen = new Map<string, number>();
  let batch: Practice[] = [];
  for await (const line of lines) {
    report.counts.read += 1;
    const practice = accept(line, seen, report);
    if (practice) batch.push(practice);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

function accept(read: CsvLine, seen: Map<string, number>, report: ImportReport): Practice | undefined {
  const { line } = read;
  if ('reason' in read) {
    report.reject(line, undefined, { pointer: '', reason: read.reason });
    return undefined;
  }
  const practice = practiceFromLine(read.values);
  if ('errors' in practice) {
    const errors = practice.errors.map(({ pointer, message }) => ({ pointer, reason: message }));
    report.reject(line, read.values.ods_code?.slice(0, 20), ...errors);
    return undefined;
  }
  const earlier = seen.get(practice.odsCode);
  if (earlier !== undefined) {
    const reason = `is the code of the practice on line ${earlier} too`;
    report.reject(line, practice.odsCode, { pointer: '/ods_code', reason });
    return undefined;
  }
  seen.set(practice.odsCode, line);
  return practice;
}

import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { ImportReport, type ImportResult } from '../import/import-report.ts';
import type { ImportDeps, ImportOptions } from '../import/import-services.ts';
import type { Bytes } from '../import/open-file.ts';
import { type CsvLine, readCsv } from '../import/read-csv.ts';
import { readPostcode } from './postcode.ts';
import { type PostcodePlace, postcodeColumns, postcodeFromLine } from './postcode-line.ts';
import { SeenPostcodes } from './seen-postcodes.ts';
import { comparePostcodes, savePostcodes } from './store.ts';

/** A batch weighs some hundred kilobytes, and its statement takes some tens of milliseconds. */
const batchSize = 5000;

/**
 * Reads where postcodes are from CSV, one transaction a batch. What is the same stays untouched, so a second import of a
 * file changes nothing; a bad line is left out and reported; postcodes that a file does not have stay. With `dryRun`
 * nothing is written, and the numbers say what would be.
 * @throws Problem `unprocessable` where the first line does not name the columns.
 */
export async function importPostcodes(
  deps: ImportDeps,
  actor: Actor,
  source: Bytes,
  options: ImportOptions & { dryRun?: boolean } = {},
): Promise<ImportResult> {
  const started = deps.clock.now();
  const report = new ImportReport();
  const { counts } = report;
  for await (const batch of batches(readCsv(source, postcodeColumns), report)) {
    const { created, updated } = options.dryRun
      ? await comparePostcodes(deps.db, batch)
      : await inTransaction(deps.db, (trx) => savePostcodes(trx, batch));
    counts.created += created;
    counts.updated += updated;
    counts.unchanged += batch.length - created - updated;
    options.onProgress?.(counts);
  }
  const at = deps.clock.now();
  const result = report.result((at.getTime() - started.getTime()) / 1000);
  if (options.dryRun) return result;
  const { problems: _, ...details } = result;
  await inTransaction(deps.db, (trx) =>
    recordAudit(trx, { at, actor, action: 'postcodes.imported', details }),
  );
  return result;
}

async function* batches(
  lines: AsyncIterable<CsvLine>,
  report: ImportReport,
): AsyncGenerator<PostcodePlace[]> {
  const seen = new SeenPostcodes();
  let batch: PostcodePlace[] = [];
  for await (const line of lines) {
    report.counts.read += 1;
    const place = accept(line, seen, report);
    if (place) batch.push(place);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function accept(read: CsvLine, seen: SeenPostcodes, report: ImportReport): PostcodePlace | undefined {
  const { line } = read;
  if ('reason' in read) {
    report.reject(line, undefined, { pointer: '', reason: read.reason });
    return undefined;
  }
  const place = postcodeFromLine(read.values);
  if ('errors' in place) {
    const errors = place.errors.map(({ pointer, message }) => ({ pointer, reason: message }));
    report.reject(line, readPostcode(read.values.postcode ?? '')?.text, ...errors);
    return undefined;
  }
  if (seen.add(readPostcode(place.postcode)!)) return place;
  report.reject(line, place.postcode, { pointer: '/postcode', reason: 'is on an earlier line too' });
  return undefined;
}

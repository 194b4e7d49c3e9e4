import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import { type Actor, type AuditAction, recordAudit } from '../../audit/index.ts';
import { createYielder } from '../../platform/concurrency/yielder.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import type { ImportDeps, ImportRecordsOptions } from '../import/import-records.ts';
import type { Bytes } from '../import/read/bytes.ts';
import { refuseOtherKinds } from '../import/read/file-kinds.ts';
import { damagedFile, inChunks, isDamage, unpack } from '../import/read/open-file.ts';
import { type CutRecord, lineSplitter } from '../import/read/split-lines.ts';
import { ImportReport, type ImportResult, maxSilenceMs } from '../import/report/import-report.ts';

/** How to import one kind of CSV file: GP practices or postcodes. */
export type CsvImport<T extends object> = {
  fileKind: 'practices' | 'postcodes';
  columns: readonly Column[];
  batchSize: number;
  action: AuditAction;
  /** Reads a line, or returns what is wrong with it. It is called once for each line, in their order. */
  read(values: Readonly<Record<string, string>>, line: number): T | LineErrors;
  /** Stores a batch; in a dry run it only counts what would change. */
  save(batch: readonly T[]): Promise<{ created: number; updated: number }>;
};

type LineErrors = { id?: string | undefined; errors: readonly FieldError[] };

/**
 * Reads CSV, one transaction a batch. A bad line is left out and reported, and the others are imported.
 * @throws Problem `unprocessable` if the first line does not name the columns.
 */
export async function importCsv<T extends object>(
  { db, clock }: ImportDeps,
  actor: Actor,
  source: Bytes,
  kind: CsvImport<T>,
  { onProgress, dryRun = false, report = new ImportReport(), signal }: ImportRecordsOptions,
): Promise<ImportResult> {
  const started = clock.now();
  const { counts } = report;
  const seconds = () => (clock.now().getTime() - started.getTime()) / 1000;
  let isReadToEnd = false;
  try {
    for await (const batch of batches(readCsv(source, kind, report, signal), kind, report)) {
      const { created, updated } = batch.length > 0 ? await kind.save(batch) : { created: 0, updated: 0 };
      counts.created += created;
      counts.updated += updated;
      counts.unchanged += batch.length - created - updated;
      onProgress?.(counts);
    }
    isReadToEnd = !report.hasGivenUp;
  } finally {
    // Batches stored before an error stay, so the audit must say who stored them.
    const details = { ...counts, seconds: seconds(), ...(!isReadToEnd && { interrupted: true }) };
    const entry = { at: clock.now(), actor, action: kind.action, details };
    if (!dryRun) await inTransaction(db, (trx) => recordAudit(trx, entry));
  }
  return report.result(seconds());
}

async function* batches<T extends object>(
  lines: AsyncIterable<CsvLine>,
  { read, batchSize }: CsvImport<T>,
  report: ImportReport,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let sinceMs = performance.now();
  for await (const line of lines) {
    report.counts.read += 1;
    const result = 'reason' in line ? lineError(line.reason) : read(line.values, line.line);
    if ('errors' in result) {
      const errors = result.errors.map(({ pointer, message }) => ({ pointer, reason: message }));
      report.reject(line, result.id, ...errors);
    } else batch.push(result);
    report.countRecord('errors' in result ? 'rejected' : 'accepted');
    if (report.hasGivenUp) break;
    const isSilent = batch.length === 0 && performance.now() - sinceMs >= maxSilenceMs;
    if (batch.length < batchSize && !isSilent) continue;
    yield batch;
    batch = [];
    sinceMs = performance.now();
  }
  if (batch.length > 0) yield batch;
}

function lineError(message: string): LineErrors {
  return { errors: [{ pointer: '', message }] };
}

/** A column that we read: our name for it, then other names, the best first. */
export type Column = { readonly name: string; readonly also?: readonly string[]; readonly required?: true };

type CsvLine = { line: number; values: Record<string, string> } | { line: number; reason: string };

/** A hundred times a usual line. A line of a megabyte would keep the site busy. */
const maxLineLength = { bytes: 64 * 1024, inWords: '64 kilobytes' };

type ColumnIndex = { name: string; index: number };
type Header = { width: number; indexes: readonly ColumnIndex[] };

/**
 * The lines of a CSV file whose first line names the columns, packed with gzip or not. A field cannot span lines, so an
 * unclosed quotation mark spoils only its own line.
 * @throws Problem `unprocessable` if a required column is missing.
 */
async function* readCsv(
  source: Bytes,
  { columns, fileKind }: Pick<CsvImport<object>, 'columns' | 'fileKind'>,
  report: ImportReport,
  signal?: AbortSignal,
): AsyncGenerator<CsvLine> {
  let header: Header | undefined;
  for await (const cut of cutLines(source, fileKind, signal)) {
    const fields = fieldsOf(cut);
    if (header === undefined) {
      const names = Array.isArray(fields) ? fields : [];
      header = headerOf(columns, names);
      report.notes.push(...unreadColumns(header, names));
    } else if (Array.isArray(fields)) yield toLine(cut.line, header, fields);
    else yield { line: cut.line, reason: fields };
  }
  if (header === undefined) headerOf(columns, []);
}

async function* cutLines(
  source: Bytes,
  fileKind: 'practices' | 'postcodes',
  signal: AbortSignal | undefined,
): AsyncGenerator<CutRecord> {
  const splitter = lineSplitter(1, maxLineLength);
  const yielder = createYielder(signal);
  let line = 1;
  let isFirst = true;
  try {
    for await (const piece of inChunks(unpack(source))) {
      if (isFirst) refuseOtherKinds(piece.subarray(0, 1000), [fileKind, 'csv', 'table']);
      isFirst = false;
      if (yielder.shouldYield()) await yielder.yieldNow();
      for (const cut of splitter.push(piece)) {
        if (yielder.shouldYield()) await yielder.yieldNow();
        line = cut.line;
        yield cut;
      }
    }
    yield* splitter.end();
  } catch (error) {
    if (!isDamage(error)) throw error;
    yield { line, reason: damagedFile };
  }
}

const byteOrderMark = '\ufeff';

function fieldsOf(cut: CutRecord): string[] | string {
  if ('reason' in cut) return cut.reason;
  if (!isUtf8(cut.bytes)) return 'is not UTF-8 text';
  const text = cut.bytes.toString('utf8');
  const plain = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  // Most lines of a directory of postcodes have no quotation mark, and a parser for each line takes most of the time.
  if (!plain.includes('"')) return plain.split(',').map((field) => field.trim());
  try {
    const [fields = []] = parse(plain, { trim: true, relax_column_count: true });
    return fields;
  } catch {
    return 'is not CSV: see its quotation marks';
  }
}

function toLine(line: number, { width, indexes }: Header, fields: readonly string[]): CsvLine {
  if (fields.length !== width) return { line, reason: 'has more or fewer fields than the first line' };
  return { line, values: Object.fromEntries(indexes.map(({ name, index }) => [name, fields[index]!])) };
}

function headerOf(columns: readonly Column[], fields: readonly string[]): Header {
  const names = fields.map((field) => field.toLowerCase());
  const indexes = columns.flatMap(({ name, also = [] }) => {
    const index = [name, ...also].map((each) => names.indexOf(each)).find((each) => each >= 0);
    return index === undefined ? [] : [{ name, index }];
  });
  const missing = columns.filter(
    ({ name, required }) => required && !indexes.some((each) => each.name === name),
  );
  if (missing.length === 0) return { width: names.length, indexes };
  throw new Problem(
    unprocessable,
    `The first line must name the columns, as in ${columns.map(({ name }) => name).join(',')}. ` +
      `Missing: ${missing.map(({ name }) => name).join(', ')}.`,
  );
}

const maxColumnsNamed = 20;

/** A note about the columns that are not read, so that a misspelt one is noticed; none if all are read. */
function unreadColumns({ indexes }: Header, fields: readonly string[]): string[] {
  const readIndexes = new Set(indexes.map(({ index }) => index));
  const names = fields.filter((name, index) => name !== '' && !readIndexes.has(index));
  if (names.length === 0) return [];
  const more = names.length > maxColumnsNamed ? ` and ${names.length - maxColumnsNamed} more` : '';
  const examples = names.slice(0, maxColumnsNamed).map((name) => name.slice(0, 60));
  return [`Columns that were not read: ${examples.join(', ')}${more}.`];
}

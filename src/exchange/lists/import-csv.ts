import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import { takeTurns } from '../../platform/take-turns.ts';
import type { ImportDeps, ImportRecordsOptions } from '../import/import-records.ts';
import { fileKind, whereItBelongs } from '../import/read/file-kinds.ts';
import { type Bytes, damaged, inPieces, isDamage, unpacked } from '../import/read/open-file.ts';
import { type Cut, lineSplitter } from '../import/read/split-lines.ts';
import { ImportReport, type ImportResult, maxSilenceMs } from '../import/report/import-report.ts';

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

/**
 * Reads CSV, one transaction a batch. A bad line is left out and reported; everything else goes in.
 * @throws Problem `unprocessable` where the first line does not name the columns.
 */
export async function importCsv<T extends object>(
  { db, clock }: ImportDeps,
  actor: Actor,
  source: Bytes,
  into: CsvImport<T>,
  { onProgress, dryRun = false, report = new ImportReport(), signal }: ImportRecordsOptions,
): Promise<ImportResult> {
  const started = clock.now();
  const { counts } = report;
  const seconds = () => (clock.now().getTime() - started.getTime()) / 1000;
  let isRead = false;
  try {
    for await (const batch of batches(readCsv(source, into.columns, signal), into, report)) {
      const { created, updated } = batch.length > 0 ? await into.save(batch) : { created: 0, updated: 0 };
      counts.created += created;
      counts.updated += updated;
      counts.unchanged += batch.length - created - updated;
      onProgress?.(counts);
    }
    isRead = !report.hasGivenUp;
  } finally {
    // What was stored before a fault stays, so it is written down who stored it.
    const details = { ...counts, seconds: seconds(), ...(!isRead && { interrupted: true }) };
    const entry = { at: clock.now(), actor, action: into.action, details };
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
    const thing = 'reason' in line ? refusal(line.reason) : read(line.values, line.line);
    if ('errors' in thing) {
      const errors = thing.errors.map(({ pointer, message }) => ({ pointer, reason: message }));
      report.reject(line, thing.id, ...errors);
    } else batch.push(thing);
    if (report.givesUpAfter('errors' in thing ? 'refused' : 'taken')) break;
    const isSilent = batch.length === 0 && performance.now() - sinceMs >= maxSilenceMs;
    if (batch.length < batchSize && !isSilent) continue;
    yield batch;
    batch = [];
    sinceMs = performance.now();
  }
  if (batch.length > 0) yield batch;
}

function refusal(message: string): Refusal {
  return { errors: [{ pointer: '', message }] };
}

/** A column that is read: its name here, and what else files call it, the best first. Others are passed over. */
export type Column = { readonly name: string; readonly also?: readonly string[]; readonly required?: true };

type CsvLine = { line: number; values: Record<string, string> } | { line: number; reason: string };

/** A hundred times what a line of these lists has: one of a megabyte would keep the site busy by itself. */
const maxLineLength = { bytes: 64 * 1024, inWords: '64 kilobytes' };

type Place = { name: string; index: number };
type Header = { width: number; places: readonly Place[] };

/**
 * The lines of a CSV file whose first line names the columns; packed with gzip or not. A field cannot run over a
 * line's end, so that a quotation mark which is never closed spoils its own line and no other.
 * @throws Problem `unprocessable` where a required column is missing.
 */
async function* readCsv(
  source: Bytes,
  columns: readonly Column[],
  signal?: AbortSignal,
): AsyncGenerator<CsvLine> {
  let header: Header | undefined;
  for await (const cut of cuts(source, columns, signal)) {
    const fields = fieldsOf(cut);
    if (header === undefined) header = headerOf(columns, Array.isArray(fields) ? fields : []);
    else if (Array.isArray(fields)) yield named(cut.line, header, fields);
    else yield { line: cut.line, reason: fields };
  }
  if (header === undefined) headerOf(columns, []);
}

/** @throws Problem `unprocessable` for what belongs to another import: it might even have the columns of this one. */
function refuseOtherKinds(beginning: Buffer, [first]: readonly Column[]): void {
  const kind = fileKind(beginning);
  const own = first?.name === 'ods_code' ? 'practices' : 'postcodes';
  if (kind === undefined || kind === own || kind === 'csv' || kind === 'table') return;
  throw new Problem(unprocessable, `${whereItBelongs(kind)}.`);
}

async function* cuts(
  source: Bytes,
  columns: readonly Column[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Cut> {
  const splitter = lineSplitter(1, maxLineLength);
  const turns = takeTurns(signal);
  let line = 1;
  let isFirst = true;
  try {
    for await (const piece of inPieces(unpacked(source))) {
      if (isFirst) refuseOtherKinds(piece.subarray(0, 1000), columns);
      isFirst = false;
      if (turns.areOver()) await turns.rest();
      for (const cut of splitter.push(piece)) {
        if (turns.areOver()) await turns.rest();
        line = cut.line;
        yield cut;
      }
    }
    yield* splitter.end();
  } catch (error) {
    if (!isDamage(error)) throw error;
    yield { line, reason: damaged };
  }
}

const byteOrderMark = '\ufeff';

function fieldsOf(cut: Cut): string[] | string {
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

function named(line: number, { width, places }: Header, fields: readonly string[]): CsvLine {
  if (fields.length !== width) return { line, reason: 'has more or fewer fields than the first line' };
  return { line, values: Object.fromEntries(places.map(({ name, index }) => [name, fields[index]!])) };
}

function headerOf(columns: readonly Column[], fields: readonly string[]): Header {
  const given = fields.map((field) => field.toLowerCase());
  const places = columns.flatMap(({ name, also = [] }) => {
    const index = [name, ...also].map((each) => given.indexOf(each)).find((each) => each >= 0);
    return index === undefined ? [] : [{ name, index }];
  });
  const missing = columns.filter(
    ({ name, required }) => required && !places.some((each) => each.name === name),
  );
  if (missing.length === 0) return { width: given.length, places };
  throw new Problem(
    unprocessable,
    `The first line must name the columns, as in ${columns.map(({ name }) => name).join(',')}. ` +
      `Missing: ${missing.map(({ name }) => name).join(', ')}.`,
  );
}

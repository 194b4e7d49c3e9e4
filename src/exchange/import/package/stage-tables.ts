import { isUtf8 } from 'node:buffer';
import { pipeline, type Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { createYielder } from '../../../platform/concurrency/yielder.ts';
import type { Db } from '../../../platform/database/index.ts';
import type { FileRecord } from '../model/record.ts';
import { maxRecordLength } from '../read/split-lines.ts';
import type { TableFile } from './choose-files.ts';
import { addPackageRows, type PackageLink, type PackageRow } from './package-store.ts';
import { fieldTargets, numberFields, type TableName, tables } from './tables.ts';
import { type Row, type StagedRow, upgrades } from './upgrade-row.ts';

const batchSize = 2000;

/** Copies every table into the database, and yields what cannot be read. */
export async function* stageTables(
  connection: Db,
  files: readonly TableFile[],
  signal?: AbortSignal,
): AsyncGenerator<FileRecord> {
  let number = 0;
  let batch: PackageRow[] = [];
  for (const { file, kind } of files) {
    for await (const line of readTable(await file.open(), signal)) {
      if ('reason' in line) {
        // A broken row of another table is only a part of a service.
        const part = kind === 'service' ? {} : ({ part: true } as const);
        yield { line: line.line, file: file.path, reason: line.reason, ...part };
        continue;
      }
      for (const staged of upgradeRow(kind, line.row, line.columns)) {
        number += 1;
        batch.push(packageRow(number, file.path, line, staged));
      }
      if (batch.length < batchSize) continue;
      await addPackageRows(connection, batch);
      batch = [];
    }
  }
  await addPackageRows(connection, batch);
}

function upgradeRow(kind: string, row: Record<string, string>, columns: readonly string[]): StagedRow[] {
  return [upgrades[kind]?.(row, columns) ?? { table: kind as TableName, row }].flat();
}

function packageRow(
  number: number,
  file: string,
  { line }: TableLine,
  { table, row }: StagedRow,
): PackageRow {
  const values: Record<string, unknown> = {};
  const links: PackageLink[] = [];
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'string') continue;
    const link = linkOf(table, name, value, row);
    if (link) links.push(link);
    values[name] = numberFields.has(name) ? numberOf(value) : value;
  }
  const id = typeof row.id === 'string' ? row.id : null;
  return { number, table, id, file, line, row: JSON.stringify(values), links };
}

function linkOf(
  table: TableName,
  field: string,
  target: string,
  { link_entity }: Record<string, unknown>,
): PackageLink | undefined {
  if (field === 'link_id' && table === 'attribute') {
    const entity = typeof link_entity === 'string' && Object.hasOwn(tables, link_entity) ? link_entity : null;
    return { field, target, table: entity as TableName | null };
  }
  if (field === 'resource_id' && table === 'metadata') return { field, target, table: null };
  const targetTable = fieldTargets.get(field);
  return targetTable === undefined ? undefined : { field, target, table: targetTable };
}

/** A text that is no number stays, so that the check of the record reports it with its place. */
function numberOf(value: string): number | string {
  return /^[+-]?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/** `columns` has all columns of the table, while a row has only those with a value. */
type TableLine = { line: number } & ({ row: Row; columns: readonly string[] } | { reason: string });

type ParsedRecord = { record: string[]; info: { lines: number } };

/**
 * The rows of a CSV table, whose fields may span lines. A row that cannot be read is reported, and the next ones are
 * read. Empty fields are left out.
 */
async function* readTable(file: Readable, signal?: AbortSignal): AsyncGenerator<TableLine> {
  const yielder = createYielder(signal);
  const skipped: TableLine[] = [];
  const parser = parse({
    // This keeps the bytes unchanged. Their encoding can be told only from a whole field.
    encoding: 'latin1',
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: maxRecordLength,
    on_skip: (error) => void skipped.push({ line: Number(error?.lines ?? 1), reason: csvFault(error) }),
  });
  let fault: unknown;
  pipeline(file, parser, (error) => {
    fault = error;
  });
  let names: string[] | undefined;
  let line = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
      if (yielder.shouldYield()) await yielder.yieldNow();
      yield* skipped.splice(0);
      const fields = record.map(decode);
      if (names === undefined) {
        names = fields.map((name) => name.replace('\ufeff', '').trim().toLowerCase());
        const reason = tableFault(names);
        if (reason !== undefined) {
          yield { line, reason };
          return;
        }
      } else if (fields.some(hasNul)) yield { line, reason: 'must not hold the character NUL' };
      else if (record.length > names.length) yield { line, reason: 'has more fields than the first line' };
      else {
        const row = rowOf(names, fields);
        // Spreadsheet programs write the rows below the last one as nothing but commas.
        if (Object.keys(row).length > 0) yield { line, row, columns: names };
      }
      line = info.lines + 1;
    }
  } catch (error) {
    fault ??= error;
  }
  yield* skipped;
  if (fault !== undefined && fault !== null)
    yield { line, reason: 'the table is damaged or cut short here: nothing after it can be read' };
}

const windows1252 = new TextDecoder('windows-1252');

/** Spreadsheet programs write Windows-1252 unless told to write UTF-8. */
function decode(field: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what needs no decoding.
  if (/^[\x00-\x7f]*$/.test(field)) return field;
  const bytes = Buffer.from(field, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : windows1252.decode(bytes);
}

/** PostgreSQL cannot store it in a text. */
const hasNul = (text: string) => text.includes('\0');

/** The fault of a whole table, as its first line shows it. */
function tableFault(names: readonly string[]): string | undefined {
  // Spreadsheet programs do so in countries that write 3,50. Every row would then be one field.
  if (names.length === 1 && /[;\t|]/.test(names[0]!))
    return 'separates its columns with something else than commas';
  // In UTF-16 every other byte of plain text is NUL.
  return names.some(hasNul) ? 'is neither UTF-8 nor Windows-1252 text' : undefined;
}

function rowOf(names: readonly string[], fields: readonly string[]): Row {
  const row: Row = {};
  for (const [index, name] of names.entries()) {
    const value = fields[index]?.trim() ?? '';
    if (value !== '' && name !== '') row[name] = value;
  }
  return row;
}

function csvFault(error: CsvError | undefined): string {
  return error?.code === 'CSV_MAX_RECORD_SIZE'
    ? 'has a row of more than one megabyte: see its quotation marks'
    : 'is not CSV: see its quotation marks';
}

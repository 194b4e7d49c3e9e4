import { isUtf8 } from 'node:buffer';
import { pipeline, type Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { longestRecord } from '../split-lines.ts';
import type { Row } from './upgrade-row.ts';

export type TableLine = { line: number } & ({ row: Row } | { reason: string });

type Parsed = { record: string[]; info: { lines: number } };

/**
 * The rows of a table in CSV, whose fields may run over several lines. A row that cannot be read is reported, and those
 * after it are read. Fields that are empty are left out.
 */
export async function* readTable(file: Readable): AsyncGenerator<TableLine> {
  const skipped: TableLine[] = [];
  const parser = parse({
    // Bytes stay as they are until a field is whole: which alphabet they are in shows only then.
    encoding: 'latin1',
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: longestRecord,
    on_skip: (error) => void skipped.push({ line: Number(error?.lines ?? 1), reason: whyNot(error) }),
  });
  let fault: unknown;
  pipeline(file, parser, (error) => {
    fault = error;
  });
  let names: string[] | undefined;
  let line = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      yield* skipped.splice(0);
      const fields = record.map(decoded);
      if (names === undefined) {
        names = fields.map((name) => name.replace('\ufeff', '').trim().toLowerCase());
        const wrong = wrongWithTable(names);
        if (wrong !== undefined) {
          yield { line, reason: wrong };
          return;
        }
      } else if (fields.some(hasNul)) yield { line, reason: 'must not hold the character NUL' };
      else if (record.length > names.length) yield { line, reason: 'has more fields than the first line' };
      else yield { line, row: rowOf(names, fields) };
      line = info.lines + 1;
    }
  } catch (error) {
    fault ??= error;
  }
  yield* skipped;
  if (fault !== undefined && fault !== null)
    yield { line, reason: 'the table is damaged or cut short here: nothing after it can be read' };
}

const windows = new TextDecoder('windows-1252');

/** Spreadsheet programs write Windows-1252 where they are not told to write UTF-8. */
function decoded(field: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what needs no decoding.
  if (/^[\x00-\x7f]*$/.test(field)) return field;
  const bytes = Buffer.from(field, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : windows.decode(bytes);
}

/** PostgreSQL has no text with it. */
const hasNul = (text: string) => text.includes('\0');

/** What is wrong with a whole table, by its first line. */
function wrongWithTable(names: readonly string[]): string | undefined {
  // As spreadsheet programs do in countries that write 3,50: every row would then be one field.
  if (names.length === 1 && /[;\t|]/.test(names[0]!))
    return 'separates its columns with something else than commas';
  // In UTF-16 every other byte is one.
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

function whyNot(error: CsvError | undefined): string {
  return error?.code === 'CSV_MAX_RECORD_SIZE'
    ? 'has a row of more than one megabyte: see its quotation marks'
    : 'is not CSV: see its quotation marks';
}

import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { type Bytes, damaged, isDamage, unpacked } from '../import/open-file.ts';
import { type Cut, lineSplitter } from '../import/split-lines.ts';
import { requiredColumns } from './practice.ts';

export type CsvLine = { line: number; values: Record<string, string> } | { line: number; reason: string };

/**
 * The lines of a CSV file whose first line names the columns; packed with gzip or not. A field cannot run over a
 * line's end, so that a quotation mark which is never closed spoils its own line and no other.
 * @throws Problem `unprocessable` where the columns are not those of a practices file.
 */
export async function* readLines(source: Bytes): AsyncGenerator<CsvLine> {
  let columns: string[] | undefined;
  for await (const cut of cuts(source)) {
    const fields = fieldsOf(cut);
    if (columns === undefined) columns = checkedColumns(Array.isArray(fields) ? fields : []);
    else if (Array.isArray(fields)) yield named(cut.line, columns, fields);
    else yield { line: cut.line, reason: fields };
  }
  checkedColumns(columns ?? []);
}

async function* cuts(source: Bytes): AsyncGenerator<Cut> {
  const splitter = lineSplitter();
  let line = 1;
  try {
    for await (const chunk of unpacked(source)) {
      for (const cut of splitter.push(Buffer.from(chunk))) {
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

function fieldsOf(cut: Cut): string[] | string {
  if ('reason' in cut) return cut.reason;
  if (!isUtf8(cut.bytes)) return 'is not UTF-8 text';
  try {
    const [fields = []] = parse(cut.bytes, { bom: true, trim: true, relax_column_count: true });
    return fields;
  } catch {
    return 'is not CSV: see its quotation marks';
  }
}

function named(line: number, columns: readonly string[], fields: readonly string[]): CsvLine {
  if (fields.length !== columns.length)
    return { line, reason: 'has more or fewer fields than the first line' };
  return { line, values: Object.fromEntries(columns.map((name, index) => [name, fields[index]!])) };
}

function checkedColumns(header: readonly string[]): string[] {
  const columns = header.map((name) => name.toLowerCase());
  const missing = requiredColumns.filter((name) => !columns.includes(name));
  if (missing.length === 0) return columns;
  throw new Problem(
    unprocessable,
    'The first line must name the columns, as in ods_code,name,address,city,postcode,latitude,longitude,phone. ' +
      `Missing: ${missing.join(', ')}.`,
  );
}

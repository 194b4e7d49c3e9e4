import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { type Bytes, damaged, isDamage, unpacked } from './open-file.ts';
import { type Cut, lineSplitter } from './split-lines.ts';

/** A column that is read: its name here, and what else files call it, the best first. Others are passed over. */
export type Column = { readonly name: string; readonly also?: readonly string[]; readonly required?: true };

export type CsvLine = { line: number; values: Record<string, string> } | { line: number; reason: string };

type Place = { name: string; index: number };
type Header = { width: number; places: readonly Place[] };

/**
 * The lines of a CSV file whose first line names the columns; packed with gzip or not. A field cannot run over a
 * line's end, so that a quotation mark which is never closed spoils its own line and no other.
 * @throws Problem `unprocessable` where a required column is missing.
 */
export async function* readCsv(source: Bytes, columns: readonly Column[]): AsyncGenerator<CsvLine> {
  let header: Header | undefined;
  for await (const cut of cuts(source)) {
    const fields = fieldsOf(cut);
    if (header === undefined) header = headerOf(columns, Array.isArray(fields) ? fields : []);
    else if (Array.isArray(fields)) yield named(cut.line, header, fields);
    else yield { line: cut.line, reason: fields };
  }
  if (header === undefined) headerOf(columns, []);
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

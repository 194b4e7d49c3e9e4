import { isUtf8 } from 'node:buffer';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import { takeTurns } from '../../../platform/take-turns.ts';
import type { FileRecord } from '../report/record.ts';
import { fileKind, whereItBelongs } from './file-kinds.ts';
import { type Bytes, damaged, inPieces, isDamage, piecesOf, unpacked } from './open-file.ts';
import { type Cut, lineSplitter, maxRecordLength, type Splitter } from './split-lines.ts';
import { ValueSplitter } from './split-values.ts';

/**
 * Reads one service a line (NDJSON), a JSON list, or a page of the HSDS API, or several; packed with gzip or not. Which
 * of them it is shows in the content. Records come as they are read; no more than one is held.
 */
export async function* readRecords(source: Bytes, signal?: AbortSignal): AsyncGenerator<FileRecord> {
  const reader = recordReader();
  const turns = takeTurns(signal);
  let isFirst = true;
  try {
    for await (const piece of inPieces(unpacked(source))) {
      if (isFirst) refuseOtherKinds(piece.subarray(0, 1000));
      isFirst = false;
      // A file of blank lines has no record to rest at.
      if (turns.areOver()) await turns.rest();
      for (const record of reader.push(piece)) {
        if (turns.areOver()) await turns.rest();
        yield record;
      }
    }
    yield* reader.end();
  } catch (error) {
    if (!isDamage(error)) throw error;
    // Of what is at hand, the whole records; that the rest is in pieces is the damage itself.
    yield* reader.end().filter((record) => 'value' in record);
    yield { line: reader.line(), reason: damaged };
  }
}

/** Said once: line by line, a spreadsheet would be thousands of lines of bad JSON. @throws Problem `unprocessable` */
function refuseOtherKinds(beginning: Buffer): void {
  const kind = fileKind(beginning);
  if (kind !== undefined && kind !== 'services') throw new Problem(unprocessable, `${whereItBelongs(kind)}.`);
}

function recordReader() {
  let head: Buffer = Buffer.alloc(0);
  let isMarkGone = false;
  let splitter: Splitter | undefined;
  let line = 1;
  function* parsed(cuts: readonly Cut[]): Generator<FileRecord, void, undefined> {
    for (const cut of cuts) {
      line = cut.line;
      yield* parse(cut);
    }
  }
  /** Keeps the beginning until it shows how to cut the file; of blanks, however many, only the number of their lines. */
  const keep = (chunk: Buffer) => {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    if (head.length < byteOrderMark.length && byteOrderMark.indexOf(head) === 0) return;
    if (!isMarkGone) head = withoutMark(head);
    isMarkGone = true;
    let first = 0;
    for (; first < head.length && head[first]! <= 32; first += 1) if (head[first] === 10) line += 1;
    head = head.subarray(first);
  };
  return {
    line: () => line,
    /** What it gives is to be taken before the next piece is pushed. */
    *push(chunk: Buffer): Generator<FileRecord, void, undefined> {
      if (splitter) return yield* parsed(splitter.push(chunk));
      keep(chunk);
      splitter = isMarkGone ? choose(head, line) : undefined;
      if (!splitter) return;
      for (const piece of piecesOf(head)) yield* parsed(splitter.push(piece));
    },
    end(): Generator<FileRecord, void, undefined> {
      const last = splitter ?? lineSplitter(line);
      const cuts = splitter ? [] : last.push(withoutMark(head));
      return parsed([...cuts, ...last.end()]);
    },
  };
}

/** The way to cut the file, once its beginning shows it. */
function choose(head: Buffer, firstLine: number): Splitter | undefined {
  if (head.length === 0) return undefined;
  if (head[0] === 0x5b) return new ValueSplitter(firstLine);
  const end = head.indexOf(10);
  if (end < 0) return head.length > maxRecordLength ? new ValueSplitter(firstLine) : undefined;
  // A first line that stops in the middle of something is of JSON laid out over many lines.
  return /[{[,]\s*$/.test(head.subarray(Math.max(0, end - 100), end).toString('latin1'))
    ? new ValueSplitter(firstLine)
    : lineSplitter(firstLine);
}

const byteOrderMark = Buffer.from('\ufeff');

function withoutMark(head: Buffer): Buffer {
  return head.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? head.subarray(3) : head;
}

function parse(cut: Cut): FileRecord[] {
  const { line } = cut;
  if ('reason' in cut) return [cut];
  if (!isUtf8(cut.bytes)) return [{ line, reason: 'is not UTF-8 text' }];
  try {
    const value: unknown = JSON.parse(cut.bytes.toString());
    return contentsOf(value)?.map((each) => ({ line, value: each })) ?? [{ line, value }];
  } catch (error) {
    return [{ line, reason: whyNotJson(error as Error) }];
  }
}

/** The records of a page that stands on one line. */
function contentsOf(value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null || 'id' in value || !('contents' in value))
    return undefined;
  return Array.isArray(value.contents) ? value.contents : undefined;
}

/** Where the error is; never the parser's own words, which quote what the file says. */
function whyNotJson(error: Error): string {
  if (/end of JSON|Unterminated/.test(error.message)) return 'is not JSON: it stops before its end';
  const position = /at position (\d+)/.exec(error.message)?.[1];
  return position === undefined ? 'is not JSON' : `is not JSON: see character ${Number(position) + 1}`;
}

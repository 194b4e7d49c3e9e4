import { isUtf8 } from 'node:buffer';
import { createYielder } from '../../../platform/concurrency/yielder.ts';
import type { FileRecord } from '../model/record.ts';
import type { Bytes } from './bytes.ts';
import { refuseOtherKinds } from './file-kinds.ts';
import { cutIntoChunks, damagedFile, inChunks, isDamage, unpack } from './open-file.ts';
import { type CutRecord, lineSplitter, maxRecordLength, type Splitter } from './split-lines.ts';
import { ValueSplitter } from './split-values.ts';

/**
 * Reads services as NDJSON, a JSON list, or pages of the HSDS API, packed with gzip or not. The content shows which of
 * them it is. Each record is passed on as soon as it is read, so that memory holds only one.
 */
export async function* readRecords(source: Bytes, signal?: AbortSignal): AsyncGenerator<FileRecord> {
  const reader = recordReader();
  const yielder = createYielder(signal);
  let isFirst = true;
  try {
    for await (const piece of inChunks(unpack(source))) {
      if (isFirst) refuseOtherKinds(piece.subarray(0, 1000), ['services']);
      isFirst = false;
      // A file of blank lines has no records, so we rest here as well.
      if (yielder.shouldYield()) await yielder.yieldNow();
      for (const record of reader.push(piece)) {
        if (yielder.shouldYield()) await yielder.yieldNow();
        yield record;
      }
    }
    yield* reader.end();
  } catch (error) {
    if (!isDamage(error)) throw error;
    // Whole records still count. A broken last one is part of the damage, so it is not reported separately.
    yield* reader.end().filter((record) => 'value' in record);
    yield { line: reader.line(), reason: damagedFile };
  }
}

function recordReader() {
  let head: Buffer = Buffer.alloc(0);
  let isMarkRemoved = false;
  let splitter: Splitter | undefined;
  let line = 1;
  function* parseAll(cuts: readonly CutRecord[]): Generator<FileRecord, void, undefined> {
    for (const cut of cuts) {
      line = cut.line;
      yield* parse(cut);
    }
  }
  /** Keeps the beginning until it shows how to cut the file. Leading blanks are dropped, and their lines counted. */
  const keep = (chunk: Buffer) => {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    if (head.length < byteOrderMark.length && byteOrderMark.indexOf(head) === 0) return;
    if (!isMarkRemoved) head = withoutMark(head);
    isMarkRemoved = true;
    let first = 0;
    for (; first < head.length && head[first]! <= 32; first += 1) if (head[first] === 10) line += 1;
    head = head.subarray(first);
  };
  return {
    line: () => line,
    /** Read all its records before the next call. */
    *push(chunk: Buffer): Generator<FileRecord, void, undefined> {
      if (splitter) return yield* parseAll(splitter.push(chunk));
      keep(chunk);
      splitter = isMarkRemoved ? chooseSplitter(head, line) : undefined;
      if (!splitter) return;
      for (const piece of cutIntoChunks(head)) yield* parseAll(splitter.push(piece));
    },
    end(): Generator<FileRecord, void, undefined> {
      const last = splitter ?? lineSplitter(line);
      const cuts = splitter ? [] : last.push(withoutMark(head));
      return parseAll([...cuts, ...last.end()]);
    },
  };
}

/** The splitter for this file, once its beginning shows the layout. */
function chooseSplitter(head: Buffer, firstLine: number): Splitter | undefined {
  if (head.length === 0) return undefined;
  if (head[0] === 0x5b) return new ValueSplitter(firstLine);
  const end = head.indexOf(10);
  if (end < 0) return head.length > maxRecordLength ? new ValueSplitter(firstLine) : undefined;
  // If the first line ends within a value, the JSON is laid out over many lines.
  return /[{[,]\s*$/.test(head.subarray(Math.max(0, end - 100), end).toString('latin1'))
    ? new ValueSplitter(firstLine)
    : lineSplitter(firstLine);
}

const byteOrderMark = Buffer.from('\ufeff');

function withoutMark(head: Buffer): Buffer {
  return head.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? head.subarray(3) : head;
}

function parse(cut: CutRecord): FileRecord[] {
  const { line } = cut;
  if ('reason' in cut) return [cut];
  if (!isUtf8(cut.bytes)) return [{ line, reason: 'is not UTF-8 text' }];
  try {
    const value: unknown = JSON.parse(cut.bytes.toString());
    return contentsOf(value)?.map((each) => ({ line, value: each })) ?? [{ line, value }];
  } catch (error) {
    return [{ line, reason: jsonFault(error as Error) }];
  }
}

/** The records of a page that stands on one line. */
function contentsOf(value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null || 'id' in value || !('contents' in value))
    return undefined;
  return Array.isArray(value.contents) ? value.contents : undefined;
}

/** We never pass on the parser's own message, because it quotes the file. */
function jsonFault(error: Error): string {
  if (/end of JSON|Unterminated/.test(error.message)) return 'is not JSON: it stops before its end';
  const position = /at position (\d+)/.exec(error.message)?.[1];
  return position === undefined ? 'is not JSON' : `is not JSON: see character ${Number(position) + 1}`;
}

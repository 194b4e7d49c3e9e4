import { isUtf8 } from 'node:buffer';
import { type Bytes, damaged, isDamage, unpacked } from './open-file.ts';
import { type Cut, lineSplitter, longestRecord, type Splitter } from './split-lines.ts';
import { ValueSplitter } from './split-values.ts';

/** A record of the file, or why there is none; with the line that it begins on. */
export type FileRecord = { line: number; value: unknown } | { line: number; reason: string };

/**
 * Reads one service a line (NDJSON), a JSON list, or a page of the HSDS API, or several; packed with gzip or not. Which
 * of them it is shows in the content. Records come as they are read; no more than one is held.
 */
export async function* readRecords(source: Bytes): AsyncGenerator<FileRecord> {
  const reader = recordReader();
  try {
    for await (const chunk of unpacked(source))
      yield* reader.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    yield* reader.end();
  } catch (error) {
    if (!isDamage(error)) throw error;
    yield { line: reader.line(), reason: damaged };
  }
}

function recordReader() {
  let head: Buffer = Buffer.alloc(0);
  let splitter: Splitter | undefined;
  let line = 1;
  const parsed = (cuts: Cut[]) =>
    cuts.flatMap((cut) => {
      line = cut.line;
      return parse(cut);
    });
  return {
    line: () => line,
    push(chunk: Buffer): FileRecord[] {
      if (splitter) return parsed(splitter.push(chunk));
      head = Buffer.concat([head, chunk]);
      splitter = choose(head);
      return splitter ? parsed(splitter.push(withoutMark(head))) : [];
    },
    end(): FileRecord[] {
      const last = splitter ?? lineSplitter();
      const cuts = splitter ? [] : last.push(withoutMark(head));
      return parsed([...cuts, ...last.end()]);
    },
  };
}

/** The way to cut the file, once its beginning shows it. */
function choose(head: Buffer): Splitter | undefined {
  const text = withoutMark(head);
  const first = text.findIndex((byte) => byte > 32);
  if (first < 0) return undefined;
  if (text[first] === 0x5b) return new ValueSplitter();
  const end = text.indexOf(10, first);
  if (end < 0) return text.length > longestRecord ? new ValueSplitter() : undefined;
  // A first line that stops in the middle of something is of JSON laid out over many lines.
  return /[{[,]\s*$/.test(text.subarray(Math.max(first, end - 100), end).toString('latin1'))
    ? new ValueSplitter()
    : lineSplitter();
}

function withoutMark(head: Buffer): Buffer {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
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

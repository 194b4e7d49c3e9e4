/** A record as cut out of the file, or why it could not be, with the line where it begins. */
export type CutRecord = { line: number; bytes: Buffer } | { line: number; reason: string };

/** Cuts a file into records, chunk by chunk, holding no more than one record. */
export type Splitter = { push(chunk: Buffer): CutRecord[]; end(): CutRecord[] };

/** No service is this long. Without a limit, an endless file would fill the memory. */
export const maxRecordLength = 1024 * 1024;
const maxRecordInWords = 'one megabyte';
export const tooLong = longerThan(maxRecordInWords);

/** Makes a splitter for files with one record a line. A broken line does not affect the next. */
export function lineSplitter(
  firstLine = 1,
  max = { bytes: maxRecordLength, inWords: maxRecordInWords },
): Splitter {
  let line = firstLine;
  let parts: Buffer[] = [];
  let length = 0;

  const add = (part: Buffer) => {
    length += part.length;
    if (length <= max.bytes) parts.push(part);
    else parts = [];
  };
  const finish = (): CutRecord[] => {
    const cut: CutRecord =
      length > max.bytes ? { line, reason: longerThan(max.inWords) } : { line, bytes: joinParts(parts) };
    const blank = 'bytes' in cut && isBlank(cut.bytes);
    line += 1;
    parts = [];
    length = 0;
    return blank ? [] : [cut];
  };
  return {
    push(chunk) {
      const cuts: CutRecord[] = [];
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        add(chunk.subarray(start, end));
        cuts.push(...finish());
        start = end + 1;
      }
      if (start < chunk.length) add(chunk.subarray(start));
      return cuts;
    },
    end: () => (length === 0 ? [] : finish()),
  };
}

function longerThan(inWords: string): string {
  return `is longer than ${inWords}`;
}

export function joinParts(parts: readonly Buffer[]): Buffer {
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);
}

const head = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const firstBytes = 256 * 1024;
/** PostgreSQL counts from the first day of 2000. */
const epochMs = Date.UTC(2000, 0, 1);
const highest = 2 ** 32;

/** A range of whole numbers, from the first until before the second. */
type WholeRange = readonly [from: number, to: number];
const rangeBytes = 17;
/** The lower bound belongs to it, the upper one does not. */
const lowerIncluded = 2;

export type CopyBuffer = ReturnType<typeof copyBuffer>;

/** What COPY takes in its binary form: rows, each with its fields in turn. Each field may be null. */
export function copyBuffer() {
  let bytes = Buffer.allocUnsafe(firstBytes);
  let at = head.copy(bytes);
  const room = (size: number) => {
    if (at + size <= bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, at + size));
    bytes.copy(larger, 0, 0, at);
    bytes = larger;
  };
  /** The length of a field stands before it. @returns whether there is a field. */
  const begin = (isThere: boolean, size: number) => {
    room(4 + size);
    at = bytes.writeInt32BE(isThere ? size : -1, at);
    return isThere;
  };
  return {
    beginRow(fields: number) {
      room(2);
      at = bytes.writeInt16BE(fields, at);
    },
    text(value: string | null) {
      // No character of a text takes more than three bytes for each of its units.
      if (!begin(value !== null, 3 * (value?.length ?? 0))) return;
      const written = bytes.write(value!, at);
      bytes.writeInt32BE(written, at - 4);
      at += written;
    },
    /** Such as 2f1acc6c-3e6d-4d5b-9e59-6a0b2b8d2d0c. */
    uuid(value: string | null) {
      if (begin(value !== null, 16)) at += bytes.write(value!.replaceAll('-', ''), at, 'hex');
    },
    int2(value: number | null) {
      if (begin(value !== null, 2)) at = bytes.writeInt16BE(value!, at);
    },
    int4(value: number | null) {
      if (begin(value !== null, 4)) at = bytes.writeInt32BE(value!, at);
    },
    boolean(value: boolean | null) {
      if (begin(value !== null, 1)) at = bytes.writeInt8(value ? 1 : 0, at);
    },
    moment(value: Date | null) {
      if (!begin(value !== null, 8)) return;
      const microseconds = (value!.getTime() - epochMs) * 1000;
      const high = Math.floor(microseconds / highest);
      at = bytes.writeInt32BE(high, at);
      at = bytes.writeUInt32BE(microseconds - high * highest, at);
    },
    /** A point of the extension cube, by its coordinates. */
    point(value: readonly number[] | null) {
      if (!begin(value !== null, 4 + 8 * (value?.length ?? 0))) return;
      at = bytes.writeUInt32BE(isPoint + value!.length, at);
      for (const each of value!) at = bytes.writeDoubleBE(each, at);
    },
    /** An `int4multirange`. */
    ranges(value: readonly WholeRange[]) {
      begin(true, 4 + value.length * (4 + rangeBytes));
      at = bytes.writeInt32BE(value.length, at);
      for (const bounds of value) {
        at = bytes.writeInt32BE(rangeBytes, at);
        at = bytes.writeInt8(lowerIncluded, at);
        for (const bound of bounds) {
          at = bytes.writeInt32BE(4, at);
          at = bytes.writeInt32BE(bound, at);
        }
      }
    },
    end(): Buffer {
      room(2);
      at = bytes.writeInt16BE(-1, at);
      return bytes.subarray(0, at);
    },
  };
}

const isPoint = 2 ** 31;

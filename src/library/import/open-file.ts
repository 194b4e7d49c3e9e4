import { gunzipped } from './gunzip.ts';

/** The bytes of a file, as they come: from a disk, from the network, or from a test. */
export type Bytes = AsyncIterable<Uint8Array>;

/** The file's content: unpacked if its first bytes say that it is gzip, whatever its name; else as it is. */
export async function* unpacked(source: Bytes): Bytes {
  const { head, whole } = await peeked(source, 2);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return yield* whole;
  yield* gunzipped(whole);
}

/** The first bytes of a file, and the file with them. */
export async function peeked(source: Bytes, size: number): Promise<{ head: Buffer; whole: Bytes }> {
  const iterator = source[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < size) {
    const next = await iterator.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return { head, whole: startingWith(head, iterator) };
}

async function* startingWith(head: Buffer, rest: AsyncIterator<Uint8Array>): Bytes {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

export const damaged = 'the packed file is damaged or cut short here: nothing after it can be read';

/** Whether the error is of the packed file itself: damaged, or cut short. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && /^Z_/.test((error as NodeJS.ErrnoException).code ?? '');
}

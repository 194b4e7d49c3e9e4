import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import type { Bytes } from './bytes.ts';
import { gunzip } from './gunzip.ts';

/** The content of a file. It is unpacked if its first bytes say that it is gzip; its name does not matter. */
export async function* unpack(source: Bytes): Bytes {
  const { head, whole } = await peekBytes(source, 2);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return yield* whole;
  yield* gunzip(whole);
}

/** One piece is cut up without a pause. It may hold thousands of tiny records, which takes some milliseconds. */
const pieceSize = 64 * 1024;

export async function* inChunks(source: Bytes): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    yield* cutIntoChunks(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  }
}

export function* cutIntoChunks(whole: Buffer): Generator<Buffer, void, undefined> {
  for (let start = 0; start < whole.length; start += pieceSize)
    yield whole.subarray(start, start + pieceSize);
}

/** The first bytes of a file, and the file with them. */
export async function peekBytes(source: Bytes, size: number): Promise<{ head: Buffer; whole: Bytes }> {
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

/** Why the rest of a damaged file is not imported. */
export const damagedFile = 'the packed file is damaged or cut short here: nothing after it can be read';

/** Whether zlib reports that the packed file is damaged or cut short. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && /^Z_/.test((error as NodeJS.ErrnoException).code ?? '');
}

/** Writes the bytes to a temporary file, because a zip is read from its end. */
export async function withTemporaryFile<T>(bytes: Bytes, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'onward-import-'));
  try {
    const path = join(folder, 'file');
    await pipeline(limitSize(bytes), createWriteStream(path, { mode: 0o600 }));
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The size of a pipe is not known before its end, so this limit keeps it from filling the disk. */
const maxBytes = 4 * 1024 ** 3;

async function* limitSize(bytes: Bytes): Bytes {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) throw new Problem(unprocessable, 'The file is larger than 4 gigabytes.');
    yield chunk;
  }
}

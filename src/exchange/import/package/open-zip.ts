import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';

export type ZippedFile = { path: string; size: number; open(): Promise<Readable> };

const maxFiles = 1000;
const gigabyte = 1024 ** 3;
const maxTotalBytes = 4 * gigabyte;
/** Tables shrink to a tenth, at best to a thirtieth. A file that shrinks far more is an attempt to fill the disk. */
const maxCompressionRatio = 200;
const uncheckedBytes = 1024 ** 2;

/**
 * The files of a zip. Sizes are checked before anything is unpacked, and reading a file that is longer than stated ends
 * with an error. The names in the zip are never used as paths on this machine.
 * @throws Problem `unprocessable` for a zip that is damaged, encrypted or too large.
 */
export async function openZip(path: string): Promise<{ files: ZippedFile[]; close(): void }> {
  // Loaded with the first zip, so that the process starts faster.
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(refuseDamaged);
  try {
    const entries = await listEntries(zip);
    requireHarmless(entries);
    const files = entries.map((entry) => ({
      path: entry.fileName,
      size: entry.uncompressedSize,
      open: () => zip.openReadStreamPromise(entry),
    }));
    return { files, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function listEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      entries.push(entry);
      if (entries.length > maxFiles) break;
    }
  } catch (error) {
    refuseDamaged(error as Error);
  }
  return entries;
}

/** @throws Problem `unprocessable` for a zip that is encrypted, or would fill the disk. */
function requireHarmless(entries: readonly Entry[]): void {
  const fail = (detail: string): never => {
    throw new Problem(unprocessable, detail);
  };
  if (entries.length > maxFiles) fail(`The zip holds more than ${maxFiles} files.`);
  if (entries.some((entry) => entry.isEncrypted())) fail('The zip is encrypted: pack it without a password.');
  const unpackedBytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpackedBytes > maxTotalBytes) fail('The zip would unpack to more than 4 gigabytes.');
  const hasBomb = entries.some(
    ({ uncompressedSize, compressedSize }) =>
      uncompressedSize > uncheckedBytes && uncompressedSize > maxCompressionRatio * compressedSize,
  );
  if (hasBomb) fail(`The zip would unpack to more than ${maxCompressionRatio} times its size.`);
}

/** Refuses a damaged zip in our own words, because yauzl's message quotes the file. */
function refuseDamaged(_error: Error): never {
  throw new Problem(unprocessable, 'The zip is damaged, cut short, or has file names that lead out of it.');
}

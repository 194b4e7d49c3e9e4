import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';

export type ZippedFile = { path: string; size: number; open(): Promise<Readable> };

const mostFiles = 1000;
const gigabyte = 1024 ** 3;
const mostBytesOfAll = 4 * gigabyte;
/** Text of tables shrinks to a tenth, at best to a thirtieth; what claims far more is made to fill a disk. */
const mostShrunk = 200;
const tooSmallToMind = 16 * 1024 ** 2;

/**
 * The files of a zip. Sizes are judged before anything is unpacked, and a file that turns out longer than it says ends
 * with an error. Nothing is written anywhere by the names that the zip gives.
 * @throws Problem `unprocessable` for what cannot or must not be unpacked.
 */
export async function openZip(path: string): Promise<{ files: ZippedFile[]; close(): void }> {
  // Loaded when the first zip is read: no start waits for it.
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(refuse);
  try {
    const entries = await list(zip);
    check(entries);
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

async function list(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      entries.push(entry);
      if (entries.length > mostFiles) break;
    }
  } catch (error) {
    refuse(error as Error);
  }
  return entries;
}

function check(entries: readonly Entry[]): void {
  const why = (detail: string): never => {
    throw new Problem(unprocessable, detail);
  };
  if (entries.length > mostFiles) why(`The zip holds more than ${mostFiles} files.`);
  if (entries.some((entry) => entry.isEncrypted())) why('The zip is encrypted: pack it without a password.');
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpacked > mostBytesOfAll) why('The zip would unpack to more than 4 gigabytes.');
  const bomb = entries.some(
    ({ uncompressedSize, compressedSize }) =>
      uncompressedSize > tooSmallToMind && uncompressedSize > mostShrunk * compressedSize,
  );
  if (bomb) why(`The zip would unpack to more than ${mostShrunk} times its size.`);
}

/** yauzl's messages quote what the file says. */
function refuse(_error: Error): never {
  throw new Problem(unprocessable, 'The zip is damaged, cut short, or has file names that lead out of it.');
}

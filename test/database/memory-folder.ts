import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';
const enoughBytes = 2 * 1024 ** 3;

/**
 * A new folder for databases that live as long as a run, in memory where there is plenty. Each test file has a database of
 * its own, and on a disk most of a second of work went into its thousand files.
 */
export async function quickFolder(prefix: string): Promise<string> {
  return mkdtemp(join((await hasRoom(inMemory)) ? inMemory : tmpdir(), prefix));
}

async function hasRoom(folder: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= enoughBytes;
  } catch {
    // Not every machine has it.
    return false;
  }
}

import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes and removes a file in the directory. @returns the free megabytes. @throws the file system's error */
export async function checkWritable(directory: string): Promise<number> {
  const file = join(directory, `.written-by-site-check-${process.pid}`);
  try {
    await writeFile(file, 'This file can be removed.\n', { mode: 0o600 });
  } finally {
    await rm(file, { force: true });
  }
  return freeMegabytes(directory);
}

export async function freeMegabytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return Math.floor((bavail * bsize) / 2 ** 20);
}

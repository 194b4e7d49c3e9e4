import { open } from 'node:fs/promises';

/** A new name or a rename survives a power cut only once its directory is on disk. */
export async function flushDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using directory = await open(path, 'r');
  try {
    await directory.sync();
  } catch (error) {
    // Some network file systems cannot flush a directory, and keep renames in order themselves.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  }
}

import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const ownersOnly = 0o700;

/**
 * Makes a directory, and those above it that are missing, for its owner alone. Node's own recursive `mkdir` is not used
 * because it never returns below /proc.
 * @throws the file system's error; EEXIST where something else than a directory is in the way.
 */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: ownersOnly });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    const above = dirname(path);
    if (code !== 'ENOENT' || above === path) throw error;
    await makeDirectory(above);
    await mkdir(path, { mode: ownersOnly });
  }
}

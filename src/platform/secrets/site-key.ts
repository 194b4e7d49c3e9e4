import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartupError } from '../startup-error.ts';

const keyBytes = 32;

/**
 * Reads the site key, or makes it (mode 0600) where there is none yet. Of two processes that start together one makes
 * it and both use it.
 * @throws StartupError when the file cannot be read or made, or does not hold 32 bytes.
 */
export async function loadSiteKey(file: string): Promise<Buffer> {
  try {
    const existing = await readIfThere(file);
    if (existing) return checked(existing, file);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return await makeKey(file);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(
      `The site key ${file} cannot be read or made (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}). ` +
        'Set ONWARD_SITE_KEY_FILE or ONWARD_DATA_DIR to a place this user may write to, ' +
        'for example ONWARD_DATA_DIR=/var/lib/onward',
    );
  }
}

async function makeKey(file: string): Promise<Buffer> {
  const key = randomBytes(keyBytes);
  try {
    await using handle = await open(file, 'wx', 0o600);
    await handle.writeFile(key);
    await handle.sync();
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return checked(await readFile(file), file);
  }
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function checked(key: Buffer, file: string): Buffer {
  if (key.length === keyBytes) return key;
  throw new StartupError(
    `The site key ${file} holds ${key.length} bytes instead of ${keyBytes}. Put the right file back: with another key ` +
      'no token and no encrypted value of this site can be read.',
  );
}

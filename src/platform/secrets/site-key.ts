import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, mkdir, open, readFile, rm } from 'node:fs/promises';
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

/** Whether the file is there; what is in it is not looked at. */
export async function hasSiteKey(file: string): Promise<boolean> {
  return (await readIfThere(file).catch(() => Buffer.alloc(0))) !== undefined;
}

/**
 * Writes the key beside its place and then links it there, which is done wholly or not at all: nobody ever reads half a
 * key, and a crash in between leaves no empty one for good.
 */
async function makeKey(file: string): Promise<Buffer> {
  const key = randomBytes(keyBytes);
  const draft = `${file}.${randomBytes(6).toString('hex')}.new`;
  try {
    await writeDurably(draft, key);
    await putInPlace(draft, file);
    await syncDirectory(dirname(file));
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return checked(await readFile(file), file);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  await handle.writeFile(bytes);
  await handle.sync();
}

/** @throws EEXIST where there is a file already. */
async function putInPlace(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (!withoutLinks.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await copyFile(draft, file, constants.COPYFILE_EXCL);
  }
}

/** What file systems answer that know no links: FAT, and some that are mounted over a network. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** The name has to survive a power cut as well. Not every system can do this for a directory. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    await using handle = await open(directory, 'r');
    await handle.sync();
  } catch {}
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
    `ONWARD_SITE_KEY_FILE: the site key ${file} holds ${key.length} bytes instead of ${keyBytes}. Put the right file ` +
      'back, or name it: with another key no token and no encrypted value of this site can be read. ' +
      'For example: ONWARD_SITE_KEY_FILE=/etc/onward/site.key',
  );
}

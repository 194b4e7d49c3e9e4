import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushDirectory } from '../process/flush-directory.ts';
import { StartupError } from '../process/startup-error.ts';

const keyBytes = 32;

/** Permissions of the owner's group and of everybody else. */
const writableByOthers = 0o022;
const readableByGroup = 0o040;
const readableByAnybody = 0o004;

/**
 * Reads the site key; undefined if there is no such file.
 * @throws StartupError when it cannot be read, does not hold 32 bytes, or others than its owner can write it.
 */
export async function readSiteKey(file: string): Promise<Buffer | undefined> {
  try {
    await using handle = await open(file, 'r');
    const { mode } = await handle.stat();
    if (process.platform !== 'win32' && mode & writableByOthers) throw writableByOthersError(file, mode);
    return requireKeyLength(await handle.readFile(), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusableError(file, error);
  }
}

/**
 * Makes the site key (mode 0600) in a data directory that has none. If two processes start together, one makes it and
 * both use it.
 * @throws StartupError when it cannot be made.
 */
export async function makeSiteKey(file: string): Promise<Buffer> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const key = await placeNewKey(file);
    return key ?? (await readSiteKey(file))!;
  } catch (error) {
    throw unusableError(file, error);
  }
}

/** Makes a key file that an operator asked for (mode 0600). @throws StartupError if it exists or cannot be made. */
export async function makeKeyFile(file: string): Promise<void> {
  const key = await placeNewKey(file).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`The key file ${file} cannot be made (${error.code}).`);
  });
  if (!key)
    throw new StartupError(
      `${file} already exists, and is left as it is. Choose another name for the new key.`,
    );
}

/**
 * Who else can read the key file, in words. Undefined if only its owner can, or if the owner (such as root) gives the site
 * access through a group.
 */
export async function otherReadersOfKey(file: string): Promise<string | undefined> {
  const { mode, uid } = await stat(file);
  if (process.platform === 'win32') return undefined;
  if (mode & readableByAnybody) return `everybody on this machine can read it (mode ${octal(mode)})`;
  const groupIsNotNeeded = uid === process.getuid?.();
  if (mode & readableByGroup && groupIsNotNeeded) return `its group can read it (mode ${octal(mode)})`;
  return undefined;
}

/**
 * Writes the key to a temporary file and then links it into place, which either happens or does not. So nobody ever reads half a key,
 * and a crash leaves no empty one.
 * @returns undefined if there is a file already.
 */
async function placeNewKey(file: string): Promise<Buffer | undefined> {
  const key = randomBytes(keyBytes);
  const draft = `${file}.${randomBytes(6).toString('hex')}.new`;
  try {
    await writeDurably(draft, key);
    await putInPlace(draft, file);
    // The name has to survive a power cut as well. Not every system can do this for a directory.
    await flushDirectory(dirname(file)).catch(() => undefined);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  await handle.writeFile(bytes);
  await handle.sync();
}

/** @throws EEXIST if there is a file already. */
async function putInPlace(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (!noHardLinkCodes.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await copyFile(draft, file, constants.COPYFILE_EXCL);
  }
}

/** Error codes of file systems without hard links: FAT, and some that are mounted over a network. */
const noHardLinkCodes = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

function requireKeyLength(key: Buffer, file: string): Buffer {
  if (key.length === keyBytes) return key;
  throw new StartupError(
    `ONWARD_SITE_KEY_FILE: the site key ${file} holds ${key.length} bytes instead of ${keyBytes}. Put the right file ` +
      'back, or name it: with another key no token and no encrypted value of this site can be read. ' +
      'For example: ONWARD_SITE_KEY_FILE=/etc/onward/site.key',
  );
}

function writableByOthersError(file: string, mode: number): StartupError {
  return new StartupError(
    `ONWARD_SITE_KEY_FILE: users other than its owner can write to the site key ${file} (mode ${octal(mode)}), and could ` +
      `replace it. Make sure that it is still yours, then run: chmod 600 ${file}`,
  );
}

const octal = (mode: number) => `0${(mode & 0o777).toString(8)}`;

function unusableError(file: string, error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  return new StartupError(
    `The site key ${file} cannot be read or made (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}). ` +
      'Let the user that runs the site read it, or set ONWARD_SITE_KEY_FILE or ONWARD_DATA_DIR to a place of that user’s, ' +
      'for example ONWARD_DATA_DIR=/var/lib/onward',
  );
}

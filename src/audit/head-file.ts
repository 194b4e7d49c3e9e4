import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import type { Settings } from '../platform/settings/index.ts';
import type { Link } from './chain.ts';
import { findLastLink, findLinkHash } from './chain-store.ts';

/** The newest link that this machine has seen, as the file outside the database has it. */
export type Head = Link & { at: Date };

/** The file exists, but is not a head. */
export class UnreadableHead extends Error {
  override name = 'UnreadableHead';
}

/** The path of the file that has the head. */
export function headFile({ dataDir }: Settings): string {
  return join(dataDir, 'audit-head.json');
}

/** The head in the file; undefined if there is no file. @throws UnreadableHead */
export async function readAuditHead(settings: Settings): Promise<Head | undefined> {
  const text = await readFile(headFile(settings), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new UnreadableHead();
  });
  return text === undefined ? undefined : parseHead(text);
}

/** Writes a draft and renames it: after a power cut the file holds either the old head or the new one, which are both right. */
async function writeHead(settings: Settings, { position, hash, at }: Head): Promise<void> {
  const file = headFile(settings);
  const draft = `${file}.${process.pid}.new`;
  const text = JSON.stringify({ position, hash: hash.toString('hex'), at });
  {
    await using handle = await open(draft, 'w', 0o600);
    await handle.writeFile(`${text}\n`);
    await handle.sync();
  }
  await rename(draft, file);
}

/**
 * Puts the file aside under a name with the time, because a database that was restored from a backup is older than the head. Somebody
 * who investigates can still compare it.
 */
export async function renameHead(settings: Settings, at: Date): Promise<void> {
  const newPath = headFile(settings).replace(
    /\.json$/,
    `-until-${at.toISOString().replaceAll(':', '')}.json`,
  );
  await rename(headFile(settings), newPath).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

function parseHead(text: string): Head {
  try {
    const { position, hash, at } = JSON.parse(text) as Record<string, unknown>;
    const time = new Date(String(at));
    const isValid =
      Number.isSafeInteger(position) && Number(position) > 0 && /^[0-9a-f]{64}$/.test(String(hash));
    if (!isValid || Number.isNaN(time.getTime())) throw new UnreadableHead();
    return { position: Number(position), hash: Buffer.from(String(hash), 'hex'), at: time };
  } catch {
    throw new UnreadableHead();
  }
}

/** The chain is not the one in the file: its end was cut off, or it was replaced. */
export class HeadMismatch extends Error {
  override name = 'HeadMismatch';
}

/**
 * Writes the newest link to a file outside the database, so that cutting off the end of the chain is noticed. The head only
 * moves forward along its own chain. If the database contradicts it the file stays as it is, because it is the evidence.
 * @returns the new head; undefined if it did not move. @throws UnreadableHead or HeadMismatch
 */
export async function moveHead({ db, clock, settings }: Platform): Promise<Head | undefined> {
  const last = await findLastLink(db);
  const head = await readAuditHead(settings);
  if (head && !(await findLinkHash(db, head.position))?.equals(head.hash)) throw new HeadMismatch();
  // Read again, because another process with this data directory may have moved the head meanwhile.
  const newest = await readAuditHead(settings);
  if (!last || (newest && newest.position >= last.position)) return undefined;
  const newHead = { ...last, at: clock.now() };
  await writeHead(settings, newHead);
  return newHead;
}

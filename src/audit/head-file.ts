import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import type { Settings } from '../platform/settings/index.ts';
import type { Link } from './chain.ts';
import { findLastLink, findLinkHash } from './chain-store.ts';

/** The newest link that this machine has seen, kept outside the database. */
export type Head = Link & { at: Date };

/** The file is there, but says nothing that can be understood. */
export class UnreadableHead extends Error {
  override name = 'UnreadableHead';
}

/** The path of the file that remembers how far the chain has come. */
export function headFile({ dataDir }: Settings): string {
  return join(dataDir, 'audit-head.json');
}

/** @throws UnreadableHead */
export async function readHead(settings: Settings): Promise<Head | undefined> {
  const text = await readFile(headFile(settings), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new UnreadableHead();
  });
  return text === undefined ? undefined : parseHead(text);
}

/** Writes it beside its place and renames it there: after a power cut it says what it said before, or all of this. */
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
 * Puts the file aside, under a name that says when: a database that was restored from a backup is older than what it
 * remembers. It is kept, so that whoever looks into it can compare.
 */
export async function putHeadAside(settings: Settings, at: Date): Promise<void> {
  const aside = headFile(settings).replace(/\.json$/, `-until-${at.toISOString().replaceAll(':', '')}.json`);
  await rename(headFile(settings), aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

function parseHead(text: string): Head {
  try {
    const { position, hash, at } = JSON.parse(text) as Record<string, unknown>;
    const moment = new Date(String(at));
    const sound =
      Number.isSafeInteger(position) && Number(position) > 0 && /^[0-9a-f]{64}$/.test(String(hash));
    if (!sound || Number.isNaN(moment.getTime())) throw new UnreadableHead();
    return { position: Number(position), hash: Buffer.from(String(hash), 'hex'), at: moment };
  } catch {
    throw new UnreadableHead();
  }
}

/** The chain is not the one that the file knows: its end was cut off, or it was made anew. */
export class HeadContradicted extends Error {
  override name = 'HeadContradicted';
}

/**
 * Notes how far the chain has come in a file outside the database, so that cutting off its end is noticed. The file
 * only ever moves forward along the very chain that it was on: where the database tells another story, the file stays as
 * it is, for it is what shows so.
 * @returns the new head; undefined where it did not move. @throws UnreadableHead or HeadContradicted
 */
export async function moveHead({ db, clock, settings }: Platform): Promise<Head | undefined> {
  const last = await findLastLink(db);
  const head = await readHead(settings);
  if (head && !(await findLinkHash(db, head.position))?.equals(head.hash)) throw new HeadContradicted();
  // Read once more: another process with this data directory may have moved the head further than we know of.
  const newest = await readHead(settings);
  if (!last || (newest && newest.position >= last.position)) return undefined;
  const moved = { ...last, at: clock.now() };
  await writeHead(settings, moved);
  return moved;
}

import type { Platform } from '../platform/platform.ts';
import { findLastLink, findLinkHash } from './chain-store.ts';
import { type Head, readHead, writeHead } from './head-file.ts';

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

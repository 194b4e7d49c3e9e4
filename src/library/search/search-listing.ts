import type { Db } from '../../platform/database/index.ts';
import { type Attempt, attempts } from './attempts.ts';
import type { Wanted } from './list-parameters.ts';
import { readLibraryVersion, rememberedPage } from './remembered-store.ts';
import type { Found, Window } from './store.ts';
import type { TextQuery } from './text-query.ts';

/** Anything that can be listed: how its pages and its lines are read. */
export type Listing = {
  /** The same for the same list alone. */
  key: string;
  /** One page of it. */
  find(text: TextQuery | undefined, window: Window): Promise<Found>;
  /** How many fit, not counted beyond `most`. */
  countUpTo(text: TextQuery, most: number): Promise<number>;
  /** What comes after an id, in the order of the ids. */
  findAfter(text: TextQuery | undefined, after: string, limit: number): Promise<Line[]>;
  /** A search that finds fewer is widened. */
  enough: number;
};

export type Line = { id: string; content: string };

/** A page; `searchedFor` where it was found by other words than the ones that were typed. */
export type SearchedPage = Found & { searchedFor?: string };

const rowsAtOnce = 500;

/** The page that is asked for, and how many there are in all. */
export async function searchPage(db: Db, listing: Listing, wanted: Wanted): Promise<SearchedPage> {
  const { search, page, perPage } = wanted;
  const window = { limit: perPage, offset: (page - 1) * perPage };
  return rememberedPage(db, pageKey(listing, wanted), async (version) => {
    if (search === undefined) return listing.find(undefined, window);
    const look = (text: TextQuery) => listing.find(text, window);
    const { attempt, found } = await bestAttempt(db, listing, search, version, look);
    return attempt.searchedFor === undefined ? found : { ...found, searchedFor: attempt.searchedFor };
  });
}

/** What tells a page from every other one. */
export function pageKey({ key }: Listing, { search, page, perPage }: Wanted): string {
  return JSON.stringify([key, search, page, perPage]);
}

/** All that fit, one a line, in the order of their ids. No connection is held while the reader is slow. */
export async function* searchLines(
  db: Db,
  listing: Listing,
  search: string | undefined,
): AsyncGenerator<string> {
  const text = search === undefined ? undefined : await bestText(db, listing, search);
  let after = '';
  for (;;) {
    const rows = await listing.findAfter(text, after, rowsAtOnce);
    if (rows.length > 0) yield rows.map(({ content }) => `${content}\n`).join('');
    if (rows.length < rowsAtOnce) return;
    after = rows.at(-1)!.id;
  }
}

async function bestText(db: Db, listing: Listing, search: string): Promise<TextQuery> {
  const count = async (text: TextQuery) => ({ total: await listing.countUpTo(text, listing.enough) });
  const version = await readLibraryVersion(db);
  return (await bestAttempt(db, listing, search, version, count)).attempt.text;
}

/** The narrowest way to look that finds enough, or else the one that finds most; and what it finds. */
async function bestAttempt<Looked extends { total: number }>(
  db: Db,
  { enough }: Listing,
  search: string,
  version: number,
  look: (text: TextQuery) => Promise<Looked>,
): Promise<{ attempt: Attempt; found: Looked }> {
  let best: { attempt: Attempt; found: Looked } | undefined;
  for await (const attempt of attempts(db, search, version)) {
    if (best && best.found.total >= (attempt.lastResort ? 1 : enough)) break;
    const found = await look(attempt.text);
    if (!best || found.total > best.found.total) best = { attempt, found };
  }
  return best!;
}

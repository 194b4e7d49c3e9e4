import type { Db } from '../../platform/database/index.ts';
import { catalogueAt } from '../catalogue/keep-catalogue.ts';
import type { Window } from '../catalogue/window-of.ts';
import { type Attempt, attempts } from './attempts.ts';
import type { Facets } from './filters.ts';
import type { Wanted } from './list-parameters.ts';
import { type Part, readLibraryVersion, rememberedPage } from './remembered-store.ts';
import type { TextQuery } from './text-query.ts';

export type Found = Part & { total: number; facets?: Facets };

/** Anything that can be listed: how its pages and its lines are read. */
export type Listing = {
  /** Whether others will ask for its pages: hardly anybody for those around somebody's own place. */
  isCommon: boolean;
  /** The same for the same list alone, where it is a common one. */
  key(): string;
  /** A search that finds fewer is widened. */
  enough: number;
  /** Looks for a text, or for everything. @param version of the library, which the caller has seen. */
  look(text: TextQuery | undefined, version: number): Promise<Look>;
};

/** What a look has found. */
type Look = {
  /** How many fit; not counted beyond `enough` where that takes long. */
  total: number;
  /** Whether it found as many before a term, hours or room were chosen among what it found, where these can be chosen. */
  reaches?(count: number): boolean;
  page(window: Window): Promise<Found>;
  /** All that fit, one a line, in the order of their ids. No connection is held while the reader is slow. */
  lines(): AsyncIterable<string>;
};

/** What a page is answered with, and the tag that tells it from other answers. */
export type Answer = { content: string | Buffer; tag: string };

/**
 * A page; `searchedFor` where it was found by other words than the ones that were typed. Its answer is composed and hashed
 * once, and kept with it, for as long as the page is remembered.
 */
export type SearchedPage = Found & { searchedFor?: string; answer?: Answer };

/** The page that is asked for, and how many there are in all. */
export async function searchPage(db: Db, listing: Listing, wanted: Wanted): Promise<SearchedPage> {
  const { search, page, perPage } = wanted;
  const read = async (version: number) => {
    const { look, searchedFor } = await bestLook(db, listing, search, version);
    const found = await look.page({ limit: perPage, offset: (page - 1) * perPage });
    return searchedFor === undefined ? found : { ...found, searchedFor };
  };
  if (!listing.isCommon) return read(await readLibraryVersion(db));
  return rememberedPage(db, pageKey(listing, wanted), read);
}

/** What tells a page from every other one. */
export function pageKey(listing: Listing, { search, page, perPage }: Wanted): string {
  return JSON.stringify([listing.key(), search, page, perPage]);
}

export async function* searchLines(
  db: Db,
  listing: Listing,
  search: string | undefined,
): AsyncGenerator<string> {
  const { look } = await bestLook(db, listing, search, await readLibraryVersion(db));
  yield* look.lines();
}

type Best = { look: Look } & Pick<Attempt, 'searchedFor'>;

/** The narrowest way to look that finds enough, or else the one that finds most. */
async function bestLook(
  db: Db,
  listing: Listing,
  search: string | undefined,
  version: number,
): Promise<Best> {
  if (search === undefined) return { look: await listing.look(undefined, version) };
  let best: Best | undefined;
  for await (const { text, searchedFor, lastResort } of attempts(
    db,
    await catalogueAt(db, version),
    search,
  )) {
    if (best && isEnough(best.look, lastResort ? 1 : listing.enough)) break;
    const look = await listing.look(text, version);
    if (!best || look.total > best.look.total) best = { look, searchedFor };
  }
  return best!;
}

/** A filter leaves what was counted beside it: it makes a search no vaguer, unless nothing is left. */
function isEnough({ total, reaches }: Look, enough: number): boolean {
  return total >= enough || (total > 0 && reaches?.(enough) === true);
}

import type { LibraryFollower } from '../follow/follow-library.ts';
import type { Window } from '../index/order.ts';
import type { SearchIndex } from '../index/search-index.ts';
import type { Facets, PageRequest } from '../query/criteria.ts';
import { type Interpretation, interpretations } from '../typed-words/interpret.ts';
import type { LibraryInMemory } from '../typed-words/vocabulary.ts';

/** The words to look for, understood in one of the possible ways. */
export type InterpretedText = Interpretation['text'];

/** A kind of list: services, locations, organisations, taxonomies or terms, with its filters. */
export type Listing = {
  /** A search that finds fewer than this is widened. */
  enough: number;
  /** Finds a page of the items that match the text; without a text, of all items. */
  find(
    index: SearchIndex,
    text: InterpretedText | undefined,
    window: Window,
  ): ListingResult | Promise<ListingResult>;
  /** All items that match the text, in the order of ids, in batches. */
  all(index: SearchIndex, text: InterpretedText | undefined): AsyncIterable<readonly object[]>;
};

export type ListingResult = {
  total: number;
  /** How many results there would be without the filters that can be chosen beside them. */
  totalBeforeChoices: number;
  facets?: Facets | undefined;
  /** The items of the page, as answers have them. */
  read(): Promise<object[]>;
};

/** A page of a list. `searchedFor` has the words it was found by, if they are not the ones that were typed. */
export type ListPage = {
  total: number;
  contents: object[];
  facets?: Facets | undefined;
  searchedFor?: string | undefined;
};

export async function findResultPage(
  follower: LibraryFollower,
  listing: Listing,
  { search: typed, page, perPage }: PageRequest,
): Promise<ListPage> {
  const library = await follower.awaitVersion(await follower.version());
  const window = { limit: perPage, offset: (page - 1) * perPage };
  const { result, searchedFor } = await findBest(follower, library, listing, typed, window);
  return { total: result.total, contents: await result.read(), facets: result.facets, searchedFor };
}

/** All items, in batches. */
export async function* findAll(
  follower: LibraryFollower,
  listing: Listing,
  typed: string | undefined,
): AsyncGenerator<readonly object[]> {
  const library = await follower.awaitVersion(await follower.version());
  const { text } = await findBest(follower, library, listing, typed, { limit: 0, offset: 0 });
  yield* listing.all(library.index, text);
}

type Best = { result: ListingResult; text: InterpretedText | undefined; searchedFor?: string | undefined };

/** The narrowest way to understand the words that finds enough; if none does, the one that finds most. */
async function findBest(
  follower: LibraryFollower,
  library: LibraryInMemory,
  listing: Listing,
  typed: string | undefined,
  window: Window,
): Promise<Best> {
  const { index } = library;
  if (typed === undefined) {
    return { result: await listing.find(index, undefined, window), text: undefined };
  }
  let best: Best | undefined;
  for await (const { text, searchedFor } of interpretations(library, follower.stems, typed)) {
    const result = await listing.find(index, text, window);
    if (!best || result.total > best.result.total) best = { result, text, searchedFor };
    // Here and not at the top, so that a further interpretation, which may ask PostgreSQL, is worked out only if needed.
    if (isEnough(best.result, listing.enough)) break;
  }
  return best!;
}

/**
 * Whether a search need not be widened. The results before chosen filters are what counts: otherwise a filter would widen the
 * search, and bring results that its own count did not include.
 */
function isEnough({ total, totalBeforeChoices }: ListingResult, enough: number): boolean {
  return total >= enough || (total > 0 && totalBeforeChoices >= enough);
}

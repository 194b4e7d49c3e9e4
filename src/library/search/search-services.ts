import type { Db } from '../../platform/database/index.ts';
import { findFacets } from './facet-store.ts';
import type { ListRequest, Selection } from './list-query.ts';
import { type Listing, type SearchedPage, searchPage } from './search-listing.ts';
import { countServicesUpTo, findServices, findServicesAfter } from './store.ts';

/** As many as people look at before they put a question differently. */
const enoughServices = 5;

/** Where the best matches do not come first, vague ones would stand among them. */
export function enoughOf({ sort }: Selection): number {
  return sort === 'relevance' ? enoughServices : 1;
}

/** What tells a list from every other one, so that its pages can be remembered. */
export function listKey(
  what: string,
  { filters, place, today, sort }: Selection,
  ...more: unknown[]
): string {
  return JSON.stringify([what, filters, place, today, sort, ...more]);
}

/** The page of services that is asked for, and how many there are in all. */
export function searchServices(db: Db, request: ListRequest): Promise<SearchedPage> {
  return searchPage(db, servicesListing(db, request), request);
}

export function servicesListing(db: Db, request: ListRequest): Listing {
  const { form, facets } = request;
  return {
    key: listKey('services', request, form, facets),
    find: async (text, window) => {
      const found = await findServices(db, request, text, form, window);
      return facets.length > 0
        ? { ...found, facets: await findFacets(db, request, text, found.version) }
        : found;
    },
    countUpTo: (text, most) => countServicesUpTo(db, request, text, most),
    findAfter: (text, after, limit) => findServicesAfter(db, request, text, form, after, limit),
    enough: enoughOf(request),
  };
}

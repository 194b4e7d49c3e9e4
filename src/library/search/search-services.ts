import type { Db } from '../../platform/database/index.ts';
import { findFacets } from './facet-store.ts';
import type { ListRequest } from './list-query.ts';
import { type Listing, type SearchedPage, searchPage } from './search-listing.ts';
import { findServices, findServicesAfter, isAnyService } from './store.ts';

/** The page of services that is asked for, and how many there are in all. */
export function searchServices(db: Db, request: ListRequest): Promise<SearchedPage> {
  return searchPage(db, servicesListing(db, request), request);
}

export function servicesListing(db: Db, request: ListRequest): Listing {
  const { form, facets } = request;
  return {
    find: async (text, window) => ({
      ...(await findServices(db, request, text, form, window)),
      ...(facets.length > 0 && { facets: await findFacets(db, request, text) }),
    }),
    isAny: (text) => isAnyService(db, request, text),
    findAfter: (text, after, limit) => findServicesAfter(db, request, text, form, after, limit),
  };
}

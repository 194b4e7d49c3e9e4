import type { Db } from '../../platform/database/index.ts';
import type { ListRequest } from './list-query.ts';
import { type Listing, type SearchedPage, searchPage } from './search-listing.ts';
import { findServices, findServicesAfter, isAnyService } from './store.ts';

/** The page of services that is asked for, and how many there are in all. */
export function searchServices(db: Db, request: ListRequest): Promise<SearchedPage> {
  return searchPage(db, servicesListing(db, request), request);
}

export function servicesListing(db: Db, { filters, form }: ListRequest): Listing {
  return {
    find: (text, window) => findServices(db, filters, text, form, window),
    isAny: (text) => isAnyService(db, filters, text),
    findAfter: (text, after, limit) => findServicesAfter(db, filters, text, form, after, limit),
  };
}

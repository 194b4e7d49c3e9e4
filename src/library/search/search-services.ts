import type { Db } from '../../platform/database/index.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { ofServices } from '../catalogue/levels.ts';
import { catalogueListing } from './catalogue-listing.ts';
import { documentsOf } from './documents.ts';
import type { ListRequest } from './list-query.ts';
import { type Listing, type SearchedPage, searchPage } from './search-listing.ts';

/** The page of services that is asked for, and how many there are in all. */
export function searchServices(db: Db, request: ListRequest): Promise<SearchedPage> {
  return searchPage(db, servicesListing(db, request), request);
}

export function servicesListing(db: Db, request: ListRequest): Listing {
  const { form, facets } = request;
  return catalogueListing(db, {
    key: `services ${form}`,
    selection: request,
    levelOf: ofServices,
    facets,
    documents: async (catalogue, ordinals) =>
      form === 'document'
        ? documentsOf(db, catalogue, ordinals)
        : ordinals.map((ordinal) => inShort[form](catalogue, ordinal)),
  });
}

/** What the catalogue itself knows; none of a service of which nothing was written. */
const inShort = {
  summary: ({ summaries }: Catalogue, ordinal: number) => summaries.at(ordinal) || undefined,
  minimal,
};

function minimal({ ids, modifiedMs }: Catalogue, ordinal: number): string {
  const moment = new Date(modifiedMs.of[ordinal]!).toISOString();
  return `{"id":${JSON.stringify(ids.at(ordinal))},"last_modified":"${moment}"}`;
}

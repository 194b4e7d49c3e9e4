import type { Db } from '../../platform/database/index.ts';
import { ofPlaces } from '../catalogue/levels.ts';
import { catalogueListing } from '../search/catalogue-listing.ts';
import type { Selection } from '../search/list-query.ts';
import type { Listing } from '../search/search-listing.ts';
import type { AtLocationForm } from './at-location.ts';
import { findAtLocations, whole } from './store.ts';

/** The locations of services, each by itself. */
export function atLocationsListing(db: Db, selection: Selection, form: AtLocationForm): Listing {
  return catalogueListing(db, {
    key: `services at locations ${form}`,
    selection,
    levelOf: ofPlaces,
    documents: ({ ids, owner, number }, places) =>
      findAtLocations(
        db,
        form,
        places.map((at) => ({ serviceId: ids.at(owner.of[at]!), number: number.of[at]! })),
      ),
    whole,
  });
}

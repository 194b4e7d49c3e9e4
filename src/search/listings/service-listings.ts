import {
  type AtLocationDetail,
  findAreaCoverage,
  findServiceDocuments,
  findServicesAtLocations,
} from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { LibraryFollower } from '../follow/follow-library.ts';
import type { Hit, IndexQuery, SearchText } from '../index/search-index.ts';
import type { Facet, Selection } from '../query/criteria.ts';
import { enoughServices } from '../query/parameters.ts';
import type { ListRequest } from '../query/read-request.ts';
import { findResultPage, type InterpretedText, type Listing, type ListPage } from './listing.ts';
import { rankWebsearch } from './text-match-store.ts';

export type ListDeps = { db: Db; libraryFollower: LibraryFollower };

/** A page of services, and how many there are in all. */
export function searchServices({ db, libraryFollower }: ListDeps, request: ListRequest): Promise<ListPage> {
  return findResultPage(libraryFollower, servicesListing(db, request), request);
}

export function servicesListing(db: Db, request: ListRequest): Listing {
  const { detail, facets, termWords } = request;
  return indexListing(db, { selection: request, of: 'services', facets, termWords }, async (hits) => {
    if (detail === 'minimal') return hits.map(minimal);
    if (detail === 'summary') return hits.map(({ summary }) => summary);
    const documents = await findServiceDocuments(
      db,
      hits.map(({ id }) => id),
    );
    return hits.map(({ id }) => documents.get(id));
  });
}

/** The locations of services, one by one. */
export function atLocationsListing(db: Db, selection: Selection, detail: AtLocationDetail): Listing {
  return indexListing(db, { selection, of: 'locations' }, (hits) =>
    findServicesAtLocations(
      db,
      detail,
      hits.map(({ id, placeNumber }) => ({ serviceId: id, number: placeNumber! })),
    ),
  );
}

function minimal({ id, modifiedMs }: Hit): object {
  return { id, last_modified: new Date(modifiedMs).toISOString() };
}

const readAtOnce = 500;

/** A listing out of the index. @param read makes answers from hits; undefined for one deleted in the meantime */
function indexListing(
  db: Db,
  query: {
    selection: Selection;
    of: IndexQuery['of'];
    facets?: readonly Facet[];
    termWords?: string | undefined;
  },
  read: (hits: readonly Hit[]) => Promise<(object | null | undefined)[]>,
): Listing {
  const { selection } = query;
  const contentsOf = async (hits: readonly Hit[]): Promise<object[]> => {
    const [contents, placed] = await Promise.all([read(hits), findDistancesAndCoverage(db, selection, hits)]);
    return contents.flatMap((content, index) => (content ? [{ ...content, ...placed[index] }] : []));
  };
  return {
    // Only a list by relevance is widened: in any other order, vague matches would be mixed with good ones.
    enough: selection.sort === 'relevance' ? enoughServices : 1,
    async find(index, text, window) {
      const { hits, ...counts } = index.search({ ...query, text: await rankInPostgres(db, text), window });
      return { ...counts, read: () => contentsOf(hits) };
    },
    async *all(index, text) {
      const { hits } = index.search({
        selection: { ...selection, sort: 'name' },
        of: query.of,
        text: await rankInPostgres(db, text),
        window: { limit: Infinity, offset: 0 },
      });
      for (const some of inOrderOfIds(hits)) {
        for (let from = 0; from < some.length; from += readAtOnce) {
          yield await contentsOf(some.slice(from, from + readAtOnce));
        }
      }
    },
  };
}

/** The distance of each hit from the place of the search, and whether the service covers that place. */
async function findDistancesAndCoverage(
  db: Db,
  { place }: Selection,
  hits: readonly Hit[],
): Promise<object[]> {
  if (!place) return [];
  const outlined = hits.filter(({ hasOutlinedArea }) => hasOutlinedArea).map(({ id }) => id);
  const serves = outlined.length > 0 ? await findAreaCoverage(db, outlined, place) : undefined;
  return hits.map(({ id, distanceMetres, covers }) => {
    const in_service_area = serves?.get(id) ?? covers;
    return {
      ...(distanceMetres !== undefined && { distance_metres: distanceMetres }),
      ...(in_service_area !== undefined && { in_service_area }),
    };
  });
}

/** With quotes or a minus PostgreSQL finds the services, because it knows the positions of words. */
async function rankInPostgres(db: Db, text: InterpretedText | undefined): Promise<SearchText | undefined> {
  return text && 'websearch' in text ? { ranked: await rankWebsearch(db, text.websearch) } : text;
}

/** Sorted in parts, so that no request waits while a hundred thousand ids are compared. */
function* inOrderOfIds(hits: readonly Hit[]): Generator<Hit[]> {
  const parts = Map.groupBy(hits, ({ id }) => id.slice(0, 2));
  for (const start of [...parts.keys()].sort()) {
    yield parts.get(start)!.sort((one, other) => {
      if (one.id === other.id) return (one.placeNumber ?? 0) - (other.placeNumber ?? 0);
      return one.id < other.id ? -1 : 1;
    });
  }
}

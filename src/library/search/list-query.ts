import { type Static, Type } from 'typebox';
import {
  type Facet,
  type FilterQuery,
  facetsParameter,
  filterParameters,
  type Sort,
} from './filter-parameters.ts';
import type { Which } from './filters.ts';
import { flag, listParameters, pageOf, type Wanted } from './list-parameters.ts';
import { type FilterDeps, readFilters } from './read-filters.ts';
import { searchText } from './text-query.ts';

const searched = 'the name, the organisation, the description and the terms';

const serviceParameters = {
  ...listParameters('services', searched, 'walking group'),
  ...filterParameters,
  facets: facetsParameter,
  minimal: flag(
    'Only `id` and `last_modified` of each service, and 50,000 of them on a page unless told: for keeping a copy up to date.',
  ),
  full: flag('Each service in full, nested, as from /services/{id}.'),
};

/** What a list of services can be asked for. Names that are not here are ignored: HSDS clients send what they like. */
export const listQuerySchema = Type.Object(serviceParameters, { additionalProperties: true });

/** The same as a body, in which nothing is ignored. */
export const searchBodySchema = Type.Object(serviceParameters, { additionalProperties: false });

export const atLocationsQuerySchema = Type.Object(
  {
    ...listParameters('services at locations', searched, 'walking group'),
    ...filterParameters,
    full: flag('Each in full, nested, as from /service_at_locations/{id}.'),
  },
  { additionalProperties: true },
);

type ListQuery = Static<typeof listQuerySchema>;

/** How much of each. */
type Form = 'summary' | 'document' | 'minimal';

/** Which services, in which order. */
export type Selection = Which & { sort: Sort };

export type ListRequest = Wanted & Selection & { form: Form; facets: readonly Facet[] };

/** One page is to hold the whole library where only ids and dates are asked for, so that a copy is compared in one. */
const perPageIfMinimal = 50_000;

/** @param at is where the parameters stand: `/query`, or nowhere for a body. */
export async function listRequest(
  deps: FilterDeps,
  query: ListQuery,
  at: '/query' | '',
): Promise<ListRequest> {
  const form = query.minimal ? 'minimal' : query.full ? 'document' : 'summary';
  return {
    ...(await selectionOf(deps, query, at)),
    form,
    facets: query.facets ?? [],
    ...pageOf(query, form === 'minimal' ? perPageIfMinimal : undefined),
  };
}

export async function selectionOf(
  deps: FilterDeps,
  query: FilterQuery & { search?: string },
  at: '/query' | '',
): Promise<Selection & Pick<Wanted, 'search'>> {
  const search = searchText(query.search);
  return { search, ...(await readFilters(deps, query, search !== undefined, at)) };
}

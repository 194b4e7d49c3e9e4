import { type Static, Type } from 'typebox';
import { momentOf } from '../import/check-record.ts';
import { flag, identifier, listParameters, pageOf, type Wanted } from './list-parameters.ts';
import { searchText } from './text-query.ts';

const searched = 'the name, the organisation, the description and the terms';

/** Which services, whether they are listed themselves or at their locations. */
const filterParameters = {
  taxonomy_term_id: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 50,
      description: 'Services with this term. Repeat the parameter to take any of several terms.',
    }),
  ),
  taxonomy_id: identifier('Services with any term of this taxonomy.'),
  organization_id: identifier('Services of this organisation.'),
  modified_after: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'Services that changed at this moment or later: 2026-11-21T09:30:00Z, or 2026-11-21.',
    }),
  ),
};

/** What a list of services can be asked for. Names that are not here are ignored: HSDS clients send what they like. */
export const listQuerySchema = Type.Object(
  {
    ...listParameters('services', searched, 'walking group'),
    ...filterParameters,
    minimal: flag(
      'Only `id` and `last_modified` of each service, and 50,000 of them on a page unless told: for keeping a copy up to date.',
    ),
    full: flag('Each service in full, nested, as from /services/{id}.'),
  },
  { additionalProperties: true },
);

export const atLocationsQuerySchema = Type.Object(
  {
    ...listParameters('services at locations', searched, 'walking group'),
    ...filterParameters,
    full: flag('Each in full, nested, as from /service_at_locations/{id}.'),
  },
  { additionalProperties: true },
);

type ListQuery = Static<typeof listQuerySchema>;

/** Which services. */
export type Filters = {
  termIds?: readonly string[] | undefined;
  taxonomyId?: string | undefined;
  organizationId?: string | undefined;
  modifiedAfter?: Date | undefined;
};

/** How much of each. */
export type Form = 'summary' | 'document' | 'minimal';

export type ListRequest = Wanted & { filters: Filters; form: Form };

/** One page is to hold the whole library where only ids and dates are asked for, so that a copy is compared in one. */
const perPageIfMinimal = 50_000;

export function listRequest(query: ListQuery): ListRequest {
  const form = query.minimal ? 'minimal' : query.full ? 'document' : 'summary';
  return {
    search: searchText(query.search),
    filters: {
      termIds: query.taxonomy_term_id,
      taxonomyId: query.taxonomy_id,
      organizationId: query.organization_id,
      modifiedAfter: query.modified_after === undefined ? undefined : momentOf(query.modified_after),
    },
    form,
    ...pageOf(query, form === 'minimal' ? perPageIfMinimal : undefined),
  };
}

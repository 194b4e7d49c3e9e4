import { type TObject, type TSchema, Type } from 'typebox';
import {
  acceptSingleValues,
  examplePages,
  facetsField,
  libraryRead,
  listAnswers,
  organizationScalars,
  pageSchema,
  placeField,
  refuseTokenInAddress,
  tags,
  tidyBodyHook,
  tidyQueryHook,
} from '../../library/index.ts';
import { type App, problemAnswers } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import {
  atLocationsQuerySchema,
  flag,
  identifier,
  listParameters,
  listQuerySchema,
  searchBodySchema,
} from '../query/parameters.ts';
import { readListRequest, readPage, readSearch, readSelection } from '../query/read-request.ts';
import { createListAnswers } from './answer.ts';
import { organizationsListing, taxonomiesListing, termsListing } from './named-store.ts';
import { atLocationsListing, type ListDeps, servicesListing } from './services.ts';

/** The lists of the library, as any Open Referral client reads them. */
export function listRoutes(app: App, deps: WebPlatform & ListDeps): void {
  const { db } = deps;
  const answers = createListAnswers(deps);
  /** An address that was answered before had no token in it. */
  const list = <Query extends TObject>(schema: ListSchema<Query>) => ({
    ...libraryRead,
    preValidation: [answers.answerAgain, refuseTokenInAddress, tidyQueryHook(schema.querystring)],
    schema,
  });

  app.get('/api/library/services', list(listServices), async (request, reply) => {
    const wanted = await readListRequest(deps, request.query, '/query');
    const { format } = request.query;
    return answers.send(request, reply, servicesListing(db, wanted), { ...wanted, format });
  });

  const preValidation = [libraryRead.preValidation, tidyBodyHook(searchBodySchema)];
  app.post(
    '/api/library/services/search',
    { ...libraryRead, preValidation, schema: postSearch },
    async (request, reply) => {
      const wanted = await readListRequest(deps, request.body, '');
      const { format } = request.body;
      return answers.send(request, reply, servicesListing(db, wanted), { ...wanted, format });
    },
  );

  app.get('/api/library/service_at_locations', list(listAtLocations), async (request, reply) => {
    const { query } = request;
    const selection = await readSelection(deps, query, '/query');
    const listing = atLocationsListing(db, selection, query.full ? 'document' : 'summary');
    return answers.send(request, reply, listing, { ...selection, ...readPage(query), format: query.format });
  });

  app.get('/api/library/organizations', list(listOrganizations), async (request, reply) => {
    const { query } = request;
    const form = query.full_service ? 'with-services' : query.full ? 'document' : 'summary';
    return answers.send(request, reply, organizationsListing(db, form), wantedOf(query));
  });

  app.get('/api/library/taxonomies', list(listTaxonomies), async (request, reply) =>
    answers.send(request, reply, taxonomiesListing(db), wantedOf(request.query)),
  );

  app.get('/api/library/taxonomy_terms', list(listTerms), async (request, reply) => {
    const { query } = request;
    const listing = termsListing(db, {
      taxonomyId: query.taxonomy_id,
      parentId: query.parent_id,
      topOnly: query.top_only,
    });
    return answers.send(request, reply, listing, wantedOf(query));
  });
}

type NamedQuery = { search?: string; page?: number; per_page?: number; format?: string };

function wantedOf(query: NamedQuery) {
  return { search: readSearch(query.search), ...readPage(query), format: query.format };
}

type ListSchema<Query extends TObject> = { querystring: Query };

/** @param things such as `services` @param page its schema */
const listSchema = <Query extends TObject>(
  described: { operationId: string; summary: string; description: string },
  things: string,
  querystring: Query,
  page: TSchema,
  example: { contents: object[] },
) => ({ ...described, tags, querystring, response: listAnswers(things, page, example) });

const listServices = listSchema(
  {
    operationId: 'listServices',
    summary: 'Find services',
    description:
      'Lists the services that are active, a page at a time: by name, best matches first where you search, or nearest first where you give a place. Filters combine: a service must fit them all. A service that runs at many places is listed once, with the distance of the nearest. Services that are inactive, defunct or temporarily closed are not listed; ask for them by id. A page past the end is an empty page. Parameters that are not named here are ignored.',
  },
  'services',
  listQuerySchema,
  pageSchema('services', Type.Union([Type.Ref('ServiceSummary'), Type.Ref('Service')]), {
    ...placeField,
    ...facetsField,
  }),
  examplePages.services,
);

const { 304: _, ...searchAnswers } = listServices.response;

const postSearch = {
  operationId: 'searchServices',
  tags,
  summary: 'Find services without telling the address line',
  description:
    'The same as GET /api/library/services, with its parameters as a JSON body: numbers and booleans as such, what can be repeated as one value or as a list. Addresses end up in logs and histories, and bodies do not: use this where what you ask for says something about a patient, such as their postcode, age or need. A field that is not named here is refused.',
  body: {
    ...acceptSingleValues(searchBodySchema),
    examples: [
      { search: 'befriending', postcode: 'ZT1 3GH', proximity: 8000, day: ['TU', 'TH'], accepting: true },
    ],
  } as typeof searchBodySchema,
  response: {
    ...searchAnswers,
    ...problemAnswers({
      400: 'A field has a value that it cannot have, or is not known here; `errors` says which and why.',
      413: 'The body is larger than a megabyte.',
      415: 'The body is not sent as application/json.',
    }),
  },
};

const listAtLocations = listSchema(
  {
    operationId: 'listServicesAtLocations',
    summary: 'Find services at their locations',
    description:
      'Lists every location of every active service, a page at a time: for maps, and for clients that ask where something can be had. The filters are those of services, but places, days and times are those of each location; the order is that of services too, so that the locations of one service stand together unless you sort by distance. A service that has no location is not here.',
  },
  'services at locations',
  atLocationsQuerySchema,
  pageSchema(
    'services at locations',
    Type.Union([Type.Ref('ServiceAtLocationSummary'), Type.Ref('ServiceAtLocation')]),
    placeField,
  ),
  examplePages.atLocations,
);

const listOrganizations = listSchema(
  {
    operationId: 'listOrganizations',
    summary: 'Find organisations',
    description:
      'Lists the organisations that the library knows, a page at a time: by name, or best matches first where you search. Each with what there is one of, unless you ask for more. A page past the end is an empty page. Parameters that are not named here are ignored.',
  },
  'organisations',
  Type.Object(
    {
      ...listParameters('organisations', 'the name, other names and the description', 'weir house'),
      full_service: flag('The services of each organisation in full, and not their ids and names alone.'),
      full: flag(
        'Each organisation in full, with the ids and names of its services; `full_service` implies it.',
      ),
    },
    { additionalProperties: true },
  ),
  pageSchema('organisations', Type.Union([Type.Object(organizationScalars), Type.Ref('Organization')])),
  examplePages.organizations,
);

const listTaxonomies = listSchema(
  {
    operationId: 'listTaxonomies',
    summary: 'List the taxonomies',
    description:
      'Lists the taxonomies whose terms describe the services, a page at a time, by name: kinds of service, needs, whom a service is for. Parameters that are not named here are ignored.',
  },
  'taxonomies',
  Type.Object(listParameters('taxonomies', 'the name and the description', 'need'), {
    additionalProperties: true,
  }),
  pageSchema('taxonomies', Type.Ref('HsdsTaxonomy')),
  examplePages.taxonomies,
);

const listTerms = listSchema(
  {
    operationId: 'listTaxonomyTerms',
    summary: 'List the terms of taxonomies',
    description:
      'Lists the terms that describe the services, a page at a time, by name. Filters combine: a term must fit them all. The `id` of a term is what a list of services takes as `taxonomy_term_id`. Parameters that are not named here are ignored.',
  },
  'terms',
  Type.Object(
    {
      ...listParameters('terms', 'the name, the code and the description', 'lonely'),
      taxonomy_id: identifier('Terms of this taxonomy.'),
      top_only: flag('Only terms at the top, which are below no other that the library has.'),
      parent_id: identifier('Terms directly below this term.'),
    },
    { additionalProperties: true },
  ),
  pageSchema('terms', Type.Ref('HsdsTaxonomyTerm')),
  examplePages.terms,
);

import { Type } from 'typebox';
import {
  acceptSingleValues,
  addListRoutes,
  crisisHelpField,
  crisisHelpFor,
  facetsField,
  fullServiceParameter,
  listResponses,
  placeField,
  readLenientBodyHook,
  readOptions,
  resources,
  tags,
} from '../../library/index.ts';
import { type App, badBody, problemAnswers, type Reply, type Request } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import {
  atLocationsQuerySchema,
  flag,
  identifier,
  type ListQuery,
  listParameters,
  listQuerySchema,
  searchBodySchema,
} from '../query/parameters.ts';
import { readListRequest, readPage, readSearch, readSelection } from '../query/read-request.ts';
import { createListAnswers } from './answer.ts';
import { organizationsListing, taxonomiesListing, termsListing } from './named-listings-store.ts';
import { atLocationsListing, type ListDeps, servicesListing } from './service-listings.ts';

type Deps = WebPlatform & ListDeps;
type ListAnswers = ReturnType<typeof createListAnswers>;

/** The lists of the HSDS resources. */
export function listingRoutes(app: App, deps: Deps): void {
  const answers = createListAnswers(deps);
  serviceRoutes(app, deps, answers);
  locationRoutes(app, deps, answers);
  namedListRoutes(app, deps, answers);
}

/** Services, by GET and, for a search that says something about a patient, by POST. */
function serviceRoutes(app: App, deps: Deps, answers: ListAnswers): void {
  const answer = async (query: ListQuery, at: '/query' | '', request: Request, reply: Reply) => {
    const wanted = await readListRequest(deps, query, at);
    return answers.send(request, reply, servicesListing(deps.db, wanted), {
      ...wanted,
      format: query.format,
      crisisHelp: crisisHelpFor(deps.settings, wanted.search),
    });
  };

  addListRoutes(
    app,
    resources.services,
    {
      operationId: 'listServices',
      summary: 'Find services',
      description:
        'Lists the services that are active, a page at a time: by name, best matches first where you search, or nearest first where you give a place. Filters combine: a service must fit them all. A service that runs at many places is listed once, with the distance of the nearest. Services that are inactive, defunct or temporarily closed are not listed; ask for them by id. A page past the end is an empty page. Parameters that are not named here are ignored.',
      querystring: listQuerySchema,
      pageFields: servicePageFields,
      preValidation: answers.sendRemembered,
    },
    (query, request, reply) => answer(query, '/query', request, reply),
  );

  app.post(
    '/api/library/services/search',
    {
      ...readOptions,
      preValidation: [readOptions.preValidation, readLenientBodyHook(searchBodySchema)],
      schema: postSearch,
    },
    (request, reply) => answer(request.body, '', request, reply),
  );
}

function locationRoutes(app: App, deps: Deps, answers: ListAnswers): void {
  addListRoutes(
    app,
    resources.serviceAtLocations,
    {
      operationId: 'listServicesAtLocations',
      summary: 'Find services at their locations',
      description:
        'Lists every location of every active service, a page at a time: for maps, and for clients that ask where something can be had. The filters are those of services, but places, days and times are those of each location; the order is that of services too, so that the locations of one service stand together unless you sort by distance. A service that has no location is not here.',
      querystring: atLocationsQuerySchema,
      pageFields: { ...placeField, ...crisisHelpField },
      preValidation: answers.sendRemembered,
    },
    async (query, request, reply) => {
      const selection = await readSelection(deps, query, '/query');
      const listing = atLocationsListing(deps.db, selection, query.full ? 'document' : 'summary');
      return answers.send(request, reply, listing, {
        ...selection,
        ...readPage(query),
        format: query.format,
        crisisHelp: crisisHelpFor(deps.settings, selection.search),
      });
    },
  );
}

/** Organisations, taxonomies and terms: they are listed by name, and no place is near them. */
function namedListRoutes(app: App, { db }: Deps, answers: ListAnswers): void {
  const preValidation = answers.sendRemembered;

  addListRoutes(
    app,
    resources.organizations,
    {
      operationId: 'listOrganizations',
      summary: 'Find organisations',
      description:
        'Lists the organisations that the library knows, a page at a time: by name, or best matches first where you search. Each has only its single-value fields, unless you ask for more. A page past the end is an empty page. Parameters that are not named here are ignored.',
      querystring: organizationsQuery,
      preValidation,
    },
    async (query, request, reply) => {
      const detail = query.full_service ? 'with-services' : query.full ? 'document' : 'summary';
      return answers.send(request, reply, organizationsListing(db, detail), readPageRequest(query));
    },
  );

  addListRoutes(
    app,
    resources.taxonomies,
    {
      operationId: 'listTaxonomies',
      summary: 'List the taxonomies',
      description:
        'Lists the taxonomies whose terms describe the services, a page at a time, by name: kinds of service, needs, whom a service is for. Parameters that are not named here are ignored.',
      querystring: taxonomiesQuery,
      preValidation,
    },
    async (query, request, reply) =>
      answers.send(request, reply, taxonomiesListing(db), readPageRequest(query)),
  );

  addListRoutes(
    app,
    resources.taxonomyTerms,
    {
      operationId: 'listTaxonomyTerms',
      summary: 'List the terms of taxonomies',
      description:
        'Lists the terms that describe the services, a page at a time, by name. Filters combine: a term must fit them all. The `id` of a term is what a list of services takes as `taxonomy_term_id`. Parameters that are not named here are ignored.',
      querystring: termsQuery,
      preValidation,
    },
    async (query, request, reply) => {
      const listing = termsListing(db, {
        taxonomyId: query.taxonomy_id,
        parentId: query.parent_id,
        topOnly: query.top_only,
      });
      return answers.send(request, reply, listing, readPageRequest(query));
    },
  );
}

type NamedQuery = { search?: string; page?: number; per_page?: number; format?: string };

function readPageRequest(query: NamedQuery) {
  return { search: readSearch(query.search), ...readPage(query), format: query.format };
}

const organizationsQuery = Type.Object(
  {
    ...listParameters(
      'organisations',
      'the name, other names and the description',
      'weir house',
      'OrganizationSearch',
    ),
    full_service: fullServiceParameter,
    full: flag(
      'FullOrganizations',
      'Each organisation in full, with the ids and names of its services; `full_service` implies it.',
    ),
  },
  { additionalProperties: true },
);

const taxonomiesQuery = Type.Object(
  listParameters('taxonomies', 'the name and the description', 'need', 'TaxonomySearch'),
  {
    additionalProperties: true,
  },
);

const termsQuery = Type.Object(
  {
    ...listParameters('terms', 'the name, the code and the description', 'lonely', 'TermSearch'),
    taxonomy_id: identifier('TermTaxonomyId', 'Terms of this taxonomy.'),
    top_only: flag('TopOnly', 'Only terms at the top, which are below no other that the library has.'),
    parent_id: identifier('ParentId', 'Terms directly below this term.'),
  },
  { additionalProperties: true },
);

const servicePageFields = { ...placeField, ...crisisHelpField, ...facetsField };

const { 304: _, ...searchAnswers } = listResponses(resources.services, servicePageFields);

const postSearch = {
  operationId: 'searchServices',
  tags,
  summary: 'Find services, with the search in the body',
  description:
    'The same as GET /api/library/services, with its parameters as a JSON body. Send numbers and booleans as JSON; a parameter that can be repeated may be one value or a list. Addresses end up in logs and histories, and bodies do not: use this if your search says something about a patient, such as their postcode, age or need. A field that is not named here is refused.',
  body: {
    ...acceptSingleValues(searchBodySchema),
    examples: [
      { search: 'befriending', postcode: 'ZT1 3GH', proximity: 8000, day: ['TU', 'TH'], accepting: true },
    ],
  } as typeof searchBodySchema,
  response: {
    ...searchAnswers,
    ...problemAnswers({
      ...badBody,
    }),
  },
};

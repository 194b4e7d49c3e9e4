import { type Static, type TObject, type TRef, type TSchema, Type } from 'typebox';
import {
  type App,
  noToken,
  problemAnswers,
  type Reply,
  type Request,
  reader,
} from '../../platform/http/index.ts';
import { badRequest, notFound, Problem } from '../../platform/problem/index.ts';
import { type DatedContent, sendAnswer } from './etag.ts';
import {
  exampleAtLocation,
  exampleOrganization,
  examplePages,
  exampleService,
  exampleTaxonomy,
  exampleTerm,
} from './examples.ts';
import { readLenientQuery } from './lenient-input.ts';
import { organizationSummary, pageSchema } from './schemas.ts';

/** A resource of HSDS: the API lists it and reads its items by id. */
export type Resource = {
  /** Its part of the address, under `/api/library`. */
  path: string;
  name: string;
  plural: string;
  item: { schema: TRef; example: { id: string } };
  list: { schema: TSchema; example: { contents: object[] } };
};

/** The five resources of HSDS. */
export const resources = {
  services: {
    path: 'services',
    name: 'service',
    plural: 'services',
    item: { schema: Type.Ref('Service'), example: exampleService },
    list: {
      schema: Type.Union([Type.Ref('ServiceSummary'), Type.Ref('Service'), Type.Ref('ServiceStamp')]),
      example: examplePages.services,
    },
  },
  serviceAtLocations: {
    path: 'service_at_locations',
    name: 'service at a location',
    plural: 'services at locations',
    item: { schema: Type.Ref('ServiceAtLocation'), example: exampleAtLocation },
    list: {
      schema: Type.Union([Type.Ref('ServiceAtLocationSummary'), Type.Ref('ServiceAtLocation')]),
      example: examplePages.atLocations,
    },
  },
  organizations: {
    path: 'organizations',
    name: 'organisation',
    plural: 'organisations',
    item: { schema: Type.Ref('Organization'), example: exampleOrganization },
    list: {
      schema: Type.Union([organizationSummary, Type.Ref('Organization')]),
      example: examplePages.organizations,
    },
  },
  taxonomies: {
    path: 'taxonomies',
    name: 'taxonomy',
    plural: 'taxonomies',
    item: { schema: Type.Ref('HsdsTaxonomy'), example: exampleTaxonomy },
    list: { schema: Type.Ref('HsdsTaxonomy'), example: examplePages.taxonomies },
  },
  taxonomyTerms: {
    path: 'taxonomy_terms',
    name: 'term',
    plural: 'terms',
    item: { schema: Type.Ref('HsdsTaxonomyTerm'), example: exampleTerm },
    list: { schema: Type.Ref('HsdsTaxonomyTerm'), example: examplePages.terms },
  },
} satisfies Record<string, Resource>;

type OperationWords = { operationId: string; summary: string; description: string };
type Hook = (request: Request, reply: Reply, done: () => void) => void;

export const tags = ['Library'];

/** Options of every route that reads the library. Answers are sent as JSON text, so nothing is serialised again. */
export const readOptions = {
  config: { access: reader, scope: 'library:read' },
  serializerCompiler: () => JSON.stringify,
  preValidation: refuseTokenInAddress,
};

/** An item, with its date if it has one of its own. */
type ItemContent = DatedContent | { content: string; updatedAt?: undefined };

/** Adds the route that reads one item of a resource, with its ETag. */
export function addItemRoute<Query extends TObject>(
  app: App,
  resource: Resource,
  { querystring, ...described }: OperationWords & { querystring?: Query },
  find: (id: string, query: Static<Query>) => Promise<ItemContent | undefined>,
): void {
  const schema = {
    ...described,
    tags,
    params: idParams(resource),
    ...(querystring && { querystring }),
    response: itemResponses(resource),
  };
  const preValidation = [refuseTokenInAddress, ...(querystring ? [readLenientQueryHook(querystring)] : [])];
  app.get(
    `/api/library/${resource.path}/:id`,
    { ...readOptions, preValidation, schema },
    async (request, reply) => {
      const answer = await find(request.params.id, request.query as Static<Query>);
      const { content, updatedAt } = requireFound(resource, answer);
      return sendAnswer(request, reply, content, updatedAt);
    },
  );
}

/** Adds the routes that list a resource: a page at a time, and as lines. `preValidation` runs before the query is read. */
export function addListRoutes<Query extends TObject>(
  app: App,
  resource: Resource,
  {
    querystring,
    pageFields,
    preValidation,
    ...described
  }: OperationWords & { querystring: Query; pageFields?: Record<string, TSchema>; preValidation: Hook },
  answer: (query: Static<Query>, request: Request, reply: Reply) => Promise<Reply>,
): void {
  app.get(
    `/api/library/${resource.path}`,
    {
      ...readOptions,
      preValidation: [preValidation, refuseTokenInAddress, readLenientQueryHook(querystring)],
      schema: { ...described, tags, querystring, response: listResponses(resource, pageFields) },
    },
    async (request, reply) => answer(request.query as Static<Query>, request, reply),
  );
  addLinesRoute(app, resource, { ...described, querystring }, answer);
}

/** Parameters that make no sense if the whole list is sent. */
const pageParameters = ['page', 'per_page', 'format', 'facets', 'sort'];

/** Adds the route that sends a whole list, one item a line. The list’s own route does the same for `format=ndjson`. */
function addLinesRoute<Query extends TObject>(
  app: App,
  resource: Resource,
  { querystring, operationId, summary }: OperationWords & { querystring: Query },
  answer: (query: Static<Query>, request: Request, reply: Reply) => Promise<Reply>,
): void {
  const { plural, list } = resource;
  const filters = Object.entries(querystring.properties).filter(([name]) => !pageParameters.includes(name));
  const query = Type.Object(Object.fromEntries(filters) as Record<string, TSchema>, {
    additionalProperties: true,
  });
  const schema = {
    operationId: operationId.replace(/^list/, 'export'),
    tags,
    summary: `${summary}, all of them`,
    description: `All ${plural} that fit, in the order of their ids, as newline-delimited JSON: one a line. For keeping a copy of the library.`,
    querystring: query,
    response: {
      200: {
        description: `All ${plural}, one a line.`,
        content: {
          'application/x-ndjson': {
            schema: Type.String(),
            example: `${JSON.stringify(list.example.contents[0])}\n`,
          },
        },
      },
      ...problemAnswers({ 400: 'A parameter has a value that it cannot have; `errors` says which and why.' }),
      ...unauthorised,
    },
  };
  app.get(
    `/api/library/${resource.path}.ndjson`,
    { ...readOptions, preValidation: [refuseTokenInAddress, readLenientQueryHook(query)], schema },
    async (request, reply) =>
      answer({ ...(request.query as Static<Query>), format: 'ndjson' }, request, reply),
  );
}

/** For a route's `preValidation`: prepares the query for its schema. */
function readLenientQueryHook(querystring: TObject): Hook {
  return (request, _reply, done) => {
    request.query = readLenientQuery(querystring, request.query as Record<string, unknown>, request.raw.url);
    done();
  };
}

/**
 * Refuses a token in the address, where every log on the way keeps it. Other unknown parameters are ignored, because Open
 * Referral clients send all kinds.
 */
function refuseTokenInAddress(request: Request, _reply: Reply, done: () => void): void {
  const [, name] = /[?&]((?:access[_-]?)?token)(?:=|&|$)/i.exec(request.raw.url ?? '') ?? [];
  if (name !== undefined) {
    const message = 'must not be in the address: send the token as Authorization: Bearer, and make a new one';
    const errors = [{ pointer: `/query/${name.toLowerCase()}`, message }];
    throw new Problem(badRequest, undefined, { errors });
  }
  done();
}

export const unauthorised = problemAnswers({
  401: `${noToken} An open library needs none.`,
});
const notModified = {
  304: {
    description:
      'You have this answer already: you sent its `ETag` as `If-None-Match`, or its `Last-Modified` as `If-Modified-Since`.',
    type: 'null',
  },
};

function itemResponses({ name, item }: Resource) {
  return {
    200: { description: `The ${name}.`, content: { 'application/json': item } },
    ...notModified,
    ...problemAnswers({
      400: 'The id is not UTF-8 or longer than 200 characters, or a parameter has a value that it cannot have.',
      404: missingText(name),
    }),
    ...unauthorised,
  };
}

export function listResponses({ plural, item, list }: Resource, pageFields?: Record<string, TSchema>) {
  const { schema, example } = list;
  return {
    200: {
      description: `A page of ${plural}.`,
      content: {
        'application/json': {
          schema: pageSchema(`${item.schema.$ref.replace(/^Hsds/, '')}Page`, plural, schema, pageFields),
          example,
        },
      },
    },
    ...notModified,
    ...problemAnswers({
      400: 'A parameter has a value that it cannot have; `errors` says which and why.',
    }),
    ...unauthorised,
  };
}

export function idParams({ name, item }: Resource) {
  const description = `The id of the ${name}, as lists give it.`;
  return Type.Object({
    id: Type.String({
      parameter: `${item.schema.$ref.replace(/^Hsds/, '')}Id`,
      description,
      examples: [item.example.id],
    }),
  });
}

/** @throws Problem `not-found` if there is nothing. */
export function requireFound<T>({ name }: Pick<Resource, 'name'>, thing: T | undefined): T {
  if (thing === undefined) throw new Problem(notFound, missingText(name));
  return thing;
}

function missingText(name: string): string {
  return `The library has no ${name} with this id.`;
}

import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { type App, problemAnswers, reader } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import {
  examplePage,
  exampleService,
  libraryAnswerSchema,
  librarySchemas,
  servicesPageSchema,
} from './schemas.ts';
import { listQuerySchema, listRequest, tidyQuery } from './search/list-query.ts';
import { pageAnswer } from './search/page-answer.ts';
import { searchServices, serviceLines } from './search/search-services.ts';
import { findServiceDocument } from './services/store.ts';

/** Answers are JSON texts already, so nothing is compiled to write them; the schemas are there to be read. */
const asText = () => JSON.stringify;
const common = { config: { access: reader }, serializerCompiler: asText };
const json = 'application/json; charset=utf-8';
const refused = problemAnswers({ 401: 'No token was sent, or it is not valid. An open library needs none.' });

/** Reading the library, as any Open Referral client does. */
export function libraryRoutes(app: App, deps: WebPlatform): void {
  for (const schema of librarySchemas) app.addSchema(schema);
  aboutRoutes(app, deps);
  listRoute(app, deps);
  serviceRoute(app, deps);
}

function aboutRoutes(app: App, { settings }: WebPlatform): void {
  const about = JSON.stringify({
    version: 'HSDS-UK-3.0',
    profile: 'https://docs.openreferraluk.org/',
    openapi_url: `${settings.baseUrl}/api/openapi.json`,
  });
  const schema = {
    operationId: 'getLibrary',
    tags: ['Library'],
    summary: 'Get to know the library',
    description:
      'Says which version of the Human Services Data Specification (HSDS) the library speaks: Open Referral UK 3.0. The address of this answer is the base that Open Referral clients, validators and aggregators are pointed at.',
    response: { 200: libraryAnswerSchema, ...refused },
  };
  app.get('/api/library/', { ...common, schema }, (_request, reply) => {
    reply.type(json).send(about as never);
  });
  // The same without the slash, for clients that cut it off; one entry in the API's description is enough.
  app.get('/api/library', { ...common, schema: { hide: true } }, (_request, reply) =>
    reply.type(json).send(about),
  );
}

function listRoute(app: App, { db }: WebPlatform): void {
  app.get(
    '/api/library/services',
    {
      ...common,
      preValidation: async (request) => {
        request.query = tidyQuery(request.query as Record<string, unknown>) as typeof request.query;
      },
      schema: {
        operationId: 'listServices',
        tags: ['Library'],
        summary: 'Find services',
        description:
          'Lists the services that are active, a page at a time: by name, or best matches first where you search. Filters combine: a service must fit them all. Services that are inactive, defunct or temporarily closed are not listed; ask for them by id. A page past the end is an empty page. Parameters that are not named here are ignored.',
        querystring: listQuerySchema,
        response: {
          200: {
            description: 'A page of services; with `format=ndjson`, all of them, one a line.',
            content: {
              'application/json': { schema: servicesPageSchema, example: examplePage },
              'application/x-ndjson': {
                schema: Type.String(),
                example: `${JSON.stringify(examplePage.contents[0])}\n`,
              },
            },
          },
          ...problemAnswers({
            400: 'A parameter has a value that it cannot have; `errors` says which and why.',
          }),
          ...refused,
        },
      },
    },
    async (request, reply) => {
      const wanted = listRequest(request.query);
      if (request.query.format === 'ndjson') {
        const { search, filters, form } = wanted;
        const lines = Readable.from(serviceLines(db, search, filters, form), { objectMode: false });
        return reply.type('application/x-ndjson').send(lines as unknown as string);
      }
      const found = await searchServices(db, wanted);
      return reply.type(json).send(pageAnswer(found, wanted.page, wanted.perPage));
    },
  );
}

function serviceRoute(app: App, { db }: WebPlatform): void {
  app.get(
    '/api/library/services/:id',
    {
      ...common,
      schema: {
        operationId: 'getService',
        tags: ['Library'],
        summary: 'Read a service',
        description:
          'One service in full, whatever its status: what it does, for whom, when, where, what it costs, how to get in touch, who runs it, its terms, and when the entry was last checked.',
        params: Type.Object({
          id: Type.String({
            description: 'The id of the service, as lists give it.',
            examples: [exampleService.id],
          }),
        }),
        response: {
          200: {
            description: 'The service.',
            content: { 'application/json': { schema: Type.Ref('Service'), example: exampleService } },
          },
          ...problemAnswers({ 404: 'The library has no service with this id.' }),
          ...refused,
        },
      },
    },
    async (request, reply) => {
      const document = await findServiceDocument(db, request.params.id);
      if (document === undefined) throw new Problem(notFound, 'The library has no service with this id.');
      return reply.type(json).send(document);
    },
  );
}

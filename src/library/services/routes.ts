import { Type } from 'typebox';
import { type App, problemAnswers } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { examplePages, exampleService } from '../examples.ts';
import {
  foundOr404,
  idOf,
  listAnswers,
  oneAnswer,
  reading,
  readingList,
  tags,
  tidied,
} from '../route-parts.ts';
import { facetsMember, pageSchema, placeMember } from '../schemas.ts';
import { listQuerySchema, listRequest, searchBodySchema } from '../search/list-query.ts';
import { servicesListing } from '../search/search-services.ts';
import { tidiedBody, withSingles } from '../search/tidy-body.ts';
import { sendAnswer, sendListing } from '../send-answer.ts';
import { readService } from './read-service.ts';

export function serviceRoutes(app: App, deps: WebPlatform): void {
  const { db } = deps;
  app.get('/api/library/services', readingList(deps, listServices), async (request, reply) => {
    const wanted = await listRequest(deps, request.query, '/query');
    const { format } = request.query;
    return sendListing(db, request, reply, servicesListing(db, wanted), { ...wanted, format });
  });

  const preValidation = [reading.preValidation, tidiedBody(searchBodySchema)];
  const searching = { ...reading, preValidation, schema: postSearch };
  app.post('/api/library/services/search', searching, async (request, reply) => {
    const wanted = await listRequest(deps, request.body, '');
    const { format } = request.body;
    return sendListing(db, request, reply, servicesListing(db, wanted), { ...wanted, format });
  });

  app.get('/api/library/services/:id', { ...reading, schema: getService }, async (request, reply) => {
    const { id } = request.params;
    const { content, updatedAt } = foundOr404('service', await readService(db, id));
    return sendAnswer(request, reply, content, updatedAt);
  });
}

const contents = Type.Union([Type.Ref('ServiceSummary'), Type.Ref('Service')]);

const listServices = {
  preValidation: tidied(listQuerySchema),
  schema: {
    operationId: 'listServices',
    tags,
    summary: 'Find services',
    description:
      'Lists the services that are active, a page at a time: by name, best matches first where you search, or nearest first where you give a place. Filters combine: a service must fit them all. A service that runs at many places is listed once, with the distance of the nearest. Services that are inactive, defunct or temporarily closed are not listed; ask for them by id. A page past the end is an empty page. Parameters that are not named here are ignored.',
    querystring: listQuerySchema,
    response: listAnswers(
      'services',
      pageSchema('services', contents, { ...placeMember, ...facetsMember }),
      examplePages.services,
    ),
  },
};

const { 304: _, ...searchAnswers } = listServices.schema.response;

const postSearch = {
  operationId: 'searchServices',
  tags,
  summary: 'Find services without telling the address line',
  description:
    'The same as GET /api/library/services, with its parameters as a JSON body: numbers and booleans as such, what can be repeated as one value or as a list. Addresses end up in logs and histories, and bodies do not: use this where what you ask for says something about a patient, such as their postcode, age or need. A field that is not named here is refused.',
  body: {
    ...withSingles(searchBodySchema),
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

const getService = {
  operationId: 'getService',
  tags,
  summary: 'Read a service',
  description:
    'One service in full, whatever its status: what it does, for whom, when, where, what it costs, how to get in touch, who runs it, its terms, when the entry was last checked, and in `metadata` its latest 100 changes: which field, when and by whom. What the field said before is for those who edit the service, in its history; so `previous_value` and `replacement_value` are empty there, except in what the source told itself. Lists do not have these changes.',
  params: idOf('service', exampleService),
  response: oneAnswer('service', Type.Ref('Service'), exampleService),
};

import { Type } from 'typebox';
import type { App } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { examplePages, exampleService } from '../examples.ts';
import { foundOr404, idOf, listAnswers, oneAnswer, reading, tags, tidied } from '../route-parts.ts';
import { pageSchema } from '../schemas.ts';
import { listQuerySchema, listRequest } from '../search/list-query.ts';
import { servicesListing } from '../search/search-services.ts';
import { sendAnswer, sendListing } from '../send-answer.ts';
import { findDatedService } from './store.ts';

export function serviceRoutes(app: App, { db }: WebPlatform): void {
  app.get('/api/library/services', { ...reading, ...listServices }, async (request, reply) => {
    const wanted = listRequest(request.query);
    const { format } = request.query;
    return sendListing(db, request, reply, servicesListing(db, wanted), { ...wanted, format });
  });

  app.get('/api/library/services/:id', { ...reading, schema: getService }, async (request, reply) => {
    const { content, updatedAt } = foundOr404('service', await findDatedService(db, request.params.id));
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
      'Lists the services that are active, a page at a time: by name, or best matches first where you search. Filters combine: a service must fit them all. Services that are inactive, defunct or temporarily closed are not listed; ask for them by id. A page past the end is an empty page. Parameters that are not named here are ignored.',
    querystring: listQuerySchema,
    response: listAnswers('services', pageSchema('services', contents), examplePages.services),
  },
};

const getService = {
  operationId: 'getService',
  tags,
  summary: 'Read a service',
  description:
    'One service in full, whatever its status: what it does, for whom, when, where, what it costs, how to get in touch, who runs it, its terms, and when the entry was last checked.',
  params: idOf('service', exampleService),
  response: oneAnswer('service', Type.Ref('Service'), exampleService),
};

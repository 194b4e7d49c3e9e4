import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import { type App, listOf, pageOfRows, problemAnswers, readIdCursor } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { createList, deleteList, maxLists, organisationOf, readOwnList, renameList } from './lists.ts';
import { listLists } from './saved-lists-store.ts';
import { savedServiceRoutes } from './saved-service-routes.ts';
import {
  bodyRefusals,
  commonRefusals,
  listNameSchema,
  listQuery,
  listRefusals,
  noContent,
  params,
  presentList,
  readConfig,
  savedServiceSchema,
  serviceListSchema,
  tags,
  writeConfig,
} from './schemas.ts';

/** An organisation's lists of services. */
export function savedListRoutes(app: App, deps: WebPlatform): void {
  for (const schema of [serviceListSchema, savedServiceSchema]) app.addSchema(schema);
  readRoutes(app, deps);
  createRoute(app, deps);
  changeRoutes(app, deps);
  savedServiceRoutes(app, deps);
}

function readRoutes(app: App, { db }: WebPlatform): void {
  const all = {
    operationId: 'listServiceLists',
    tags,
    summary: 'List your organisation’s lists of services',
    description:
      'The lists that the accounts of your organisation keep together, such as for a clinic or a common need; the oldest first.',
    querystring: listQuery,
    response: {
      200: listOf(Type.Ref('ServiceList')),
      ...problemAnswers({ 400: 'A parameter is not known, or not of the right form.', ...commonRefusals }),
    },
  };
  app.get('/api/library/lists', { config: readConfig, schema: all }, async (request) => {
    const { limit = 50, cursor } = request.query;
    const organisationId = organisationOf(requireCaller(request));
    const afterId = readIdCursor(cursor);
    const lists = await listLists(db, organisationId, { afterId, limit: limit + 1 });
    return pageOfRows(lists.map(presentList), limit);
  });

  const one = {
    operationId: 'getServiceList',
    tags,
    summary: 'Read a list of services',
    description: 'What a list of your organisation is called, and how many services it has.',
    params,
    response: { 200: Type.Ref('ServiceList', { description: 'The list.' }), ...problemAnswers(listRefusals) },
  };
  app.get('/api/library/lists/:id', { config: readConfig, schema: one }, async (request) =>
    presentList(await readOwnList(db, requireCaller(request), request.params.id)),
  );
}

function createRoute(app: App, deps: WebPlatform): void {
  const schema = {
    operationId: 'createServiceList',
    tags,
    summary: 'Create a list of services',
    description: `Begins an empty list for your organisation, which may have ${maxLists}.`,
    body: listNameSchema,
    response: {
      201: Type.Ref('ServiceList', { description: 'The new list.' }),
      ...problemAnswers({
        ...bodyRefusals,
        ...commonRefusals,
        409: 'The organisation has a list of this name, or as many as it may have.',
      }),
    },
  };
  app.post('/api/library/lists', { config: writeConfig, schema }, async (request, reply) => {
    const list = await createList(deps, requireCaller(request), request.body.name, request.ip);
    const location = `${deps.settings.baseUrl}/api/library/lists/${list.id}`;
    return reply.code(201).headers({ location }).send(presentList(list));
  });
}

function changeRoutes(app: App, deps: WebPlatform): void {
  const rename = {
    operationId: 'renameServiceList',
    tags,
    summary: 'Rename a list of services',
    description: 'Gives a list of your organisation another name, and leaves its services as they are.',
    params,
    body: listNameSchema,
    response: {
      200: Type.Ref('ServiceList', { description: 'The list with its new name.' }),
      ...problemAnswers({
        ...bodyRefusals,
        ...listRefusals,
        409: 'The organisation has another list of this name.',
      }),
    },
  };
  app.patch('/api/library/lists/:id', { config: writeConfig, schema: rename }, async (request) => {
    const change = { id: request.params.id, name: request.body.name };
    return presentList(await renameList(deps, requireCaller(request), change, request.ip));
  });

  const remove = {
    operationId: 'deleteServiceList',
    tags,
    summary: 'Delete a list of services',
    description: 'Deletes a list of your organisation for good. Its services stay in the library.',
    params,
    response: { 204: noContent('It is deleted.'), ...problemAnswers(listRefusals) },
  };
  app.delete('/api/library/lists/:id', { config: writeConfig, schema: remove }, async (request, reply) => {
    await deleteList(deps, requireCaller(request), request.params.id, request.ip);
    return reply.code(204).send(null);
  });
}

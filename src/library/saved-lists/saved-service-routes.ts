import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import { type App, keyCursor, listOf, problemAnswers, readKeyCursor } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { readOwnList } from './lists.ts';
import { listSavedServices } from './saved-lists-store.ts';
import { maxServicesOnList, removeFromList, saveOnList } from './saved-services.ts';
import {
  entryParams,
  listQuery,
  listRefusals,
  noContent,
  params,
  presentSavedService,
  readConfig,
  tags,
  writeConfig,
} from './schemas.ts';

/** The services of a list. */
export function savedServiceRoutes(app: App, deps: WebPlatform): void {
  readRoute(app, deps);
  const save = {
    operationId: 'saveServiceOnList',
    tags,
    summary: 'Save a service on a list',
    description: `Puts a service on a list of your organisation, after those that are there; a list may have ${maxServicesOnList}. One that is on it already stays as it is, so this may be sent again.`,
    params: entryParams,
    response: {
      204: noContent('It is on the list.'),
      ...problemAnswers({
        ...listRefusals,
        404: 'Your organisation has no such list, or the library no such service.',
        409: 'The list has reached its limit of services.',
      }),
    },
  };
  const path = '/api/library/lists/:id/services/:service_id';
  app.put(path, { config: writeConfig, schema: save }, async (request, reply) => {
    const { id, service_id } = request.params;
    await saveOnList(deps, requireCaller(request), { listId: id, serviceId: service_id }, request.ip);
    return reply.code(204).send(null);
  });

  const removeSchema = {
    operationId: 'takeServiceOffList',
    tags,
    summary: 'Take a service off a list',
    description: 'Takes a service off a list of your organisation; one that is not on it is off it already.',
    params: entryParams,
    response: { 204: noContent('It is not on the list.'), ...problemAnswers(listRefusals) },
  };
  app.delete(path, { config: writeConfig, schema: removeSchema }, async (request, reply) => {
    const { id, service_id } = request.params;
    await removeFromList(deps, requireCaller(request), { listId: id, serviceId: service_id }, request.ip);
    return reply.code(204).send(null);
  });
}

function readRoute(app: App, { db }: WebPlatform): void {
  const schema = {
    operationId: 'listSavedServices',
    tags,
    summary: 'Read the services of a list',
    description:
      'The services of a list, in the order in which they were saved, also those that are not running at present.',
    params,
    querystring: listQuery,
    response: {
      200: listOf(Type.Ref('SavedService')),
      ...problemAnswers({ 400: 'A parameter is not known, or not of the right form.', ...listRefusals }),
    },
  };
  app.get('/api/library/lists/:id/services', { config: readConfig, schema }, async (request) => {
    const { limit = 50, cursor } = request.query;
    const list = await readOwnList(db, requireCaller(request), request.params.id);
    const after = Number(readKeyCursor(cursor, /^\d{1,15}$/) ?? 0);
    const services = await listSavedServices(db, list.id, { after, limit: limit + 1 });
    const shown = services.slice(0, limit);
    const next = services.length > limit ? keyCursor(String(shown.at(-1)!.number)) : null;
    return { items: shown.map(presentSavedService), next_cursor: next };
  });
}

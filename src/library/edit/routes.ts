import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import { type App, problemAnswers } from '../../platform/http/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { exampleNewService } from '../hsds/examples.ts';
import { idParams, resources, tags } from '../hsds/resource.ts';
import { checkServiceFromApi } from './check-service.ts';
import {
  editRoute,
  ifMatch,
  rawJsonRoute,
  readIfMatch,
  refusals,
  sendService,
  serviceAnswer,
} from './edit-responses.ts';
import { createService, deleteService, editService } from './edit-service.ts';

const params = idParams(resources.services);

/** Adds, replaces and deletes services. */
export function editingRoutes(app: App, deps: Platform): void {
  // checkServiceFromApi checks the body as an import would. The schema only describes it.
  const validatorCompiler: typeof app.validatorCompiler = (part) =>
    part.httpPart === 'body' ? (value) => ({ value }) : app.validatorCompiler!(part);

  app.post(
    '/api/library/services',
    { ...rawJsonRoute, validatorCompiler, schema: create },
    async (request, reply) => {
      const service = checkServiceFromApi(withId(request.body, newId()));
      const answer = await createService(deps, requireCaller(request), service, request.ip);
      const location = `${deps.settings.baseUrl}/api/library/services/${encodeURIComponent(service.id)}`;
      reply.code(201).header('location', location);
      return sendService(reply, answer);
    },
  );

  app.put(
    '/api/library/services/:id',
    { ...rawJsonRoute, validatorCompiler, schema: replace },
    async (request, reply) => {
      const { id } = request.params;
      const ifMatch = readIfMatch(request);
      const service = checkServiceFromApi(withId(request.body, id));
      if (service.id !== id) {
        const errors = [{ pointer: '/id', message: 'must be the id in the address, or left out' }];
        throw new Problem(unprocessable, 'A service keeps its id.', { errors });
      }
      const edit = { id, ifMatch, ipAddress: request.ip, action: 'service.edited' as const };
      return sendService(reply, await editService(deps, requireCaller(request), edit, () => service));
    },
  );

  app.delete('/api/library/services/:id', { ...editRoute, schema: remove }, async (request, reply) => {
    const ifMatch = readIfMatch(request);
    await deleteService(deps, requireCaller(request), {
      id: request.params.id,
      ifMatch,
      ipAddress: request.ip,
    });
    return reply.code(204).send();
  });
}

/** A body that is not an object stays as it is; the check refuses it. */
function withId(body: unknown, id: string): unknown {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { id, ...body } : body;
}

const whatIsStored =
  'Fields that HSDS does not name are kept. `last_modified` and `metadata` are ignored: the site itself records when a service was changed, and by whom. A taxonomy term that the library has already stays as it is; you may give only its `taxonomy_term_id`. Providers can use only terms of the library.';
const body = Type.Unsafe<unknown>(
  Type.Ref('NewService', { description: 'The service, as HSDS has it.', examples: [exampleNewService] }),
);

const create = {
  operationId: 'createService',
  tags,
  summary: 'Add a service',
  description: `Adds a service to the library. Without an \`id\` the site makes one, and a repeated call adds a second service. To prevent that, send a UUID of your own as the \`id\`: a repeated call is then refused as \`service-exists\`. Give the \`organization_id\` of an organisation in the library, or the whole organisation; providers add services to their own. ${whatIsStored}`,
  body,
  response: {
    201: serviceAnswer('The service as it is read. `Location` has its address and `ETag` its version.'),
    ...refusals(),
    ...problemAnswers({ 409: 'A service has this id already.' }),
  },
};

const replace = {
  operationId: 'replaceService',
  tags,
  summary: 'Change a service',
  description: `Replaces the service with this id: read it, change what you want to change, and send it whole. ${whatIsStored}`,
  params,
  headers: ifMatch,
  body,
  response: { 200: serviceAnswer('The service as it is read now.'), ...refusals('by-id', 'if-match') },
};

const remove = {
  operationId: 'deleteService',
  tags,
  summary: 'Delete a service',
  description:
    'Deletes a service from the library for good. A service that has had referrals cannot be deleted: set its `status` to `inactive` or `defunct`. The next import adds a deleted service again if the feed or file still has it: set its `status` instead.',
  params,
  headers: ifMatch,
  response: {
    204: { description: 'The service is gone.', type: 'null' },
    ...refusals('by-id', 'if-match'),
    ...problemAnswers({ 409: 'Referrals were made to this service.' }),
  },
};

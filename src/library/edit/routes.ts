import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import { type App, problemAnswers } from '../../platform/http/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { exampleNewService } from '../hsds/examples.ts';
import { idParams, resources, tags } from '../hsds/resource.ts';
import {
  editors,
  editorsSendingText,
  ifMatch,
  readIfMatch,
  refusals,
  sendService,
  serviceAnswer,
} from './answers.ts';
import { checkServiceFromApi } from './check-service.ts';
import { createService, deleteService, editService } from './edit-service.ts';

const params = idParams(resources.services);

/** Adds, replaces and deletes services. */
export function editingRoutes(app: App, deps: Platform): void {
  // checkServiceFromApi checks the body as an import would. The schema only describes it.
  const validatorCompiler: typeof app.validatorCompiler = (part) =>
    part.httpPart === 'body' ? (value) => ({ value }) : app.validatorCompiler!(part);

  app.post(
    '/api/library/services',
    { ...editorsSendingText, validatorCompiler, schema: create },
    async (request, reply) => {
      const service = checkServiceFromApi(withId(request.body, newId()));
      const made = await createService(deps, requireCaller(request), service, request.ip);
      const location = `${deps.settings.baseUrl}/api/library/services/${encodeURIComponent(service.id)}`;
      reply.code(201).header('location', location);
      return sendService(reply, made);
    },
  );

  app.put(
    '/api/library/services/:id',
    { ...editorsSendingText, validatorCompiler, schema: replace },
    async (request, reply) => {
      const { id } = request.params;
      const ifMatch = readIfMatch(request);
      const service = checkServiceFromApi(withId(request.body, id));
      if (service.id !== id) {
        const errors = [{ pointer: '/id', message: 'must be the id in the address, or left out' }];
        throw new Problem(unprocessable, 'A service keeps its id.', { errors });
      }
      const edit = { id, ifMatch, ipAddress: request.ip, action: 'service.edited' };
      return sendService(reply, await editService(deps, requireCaller(request), edit, () => service));
    },
  );

  app.delete('/api/library/services/:id', { ...editors, schema: remove }, async (request, reply) => {
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

const kept =
  'Fields that HSDS does not name are kept. What you send as `last_modified` and `metadata` is not: the site says itself when a service was changed, and by whom. A term of a taxonomy that the library has stays as the library has it; providers can use those alone. It may be named by its `taxonomy_term_id`.';
const body = Type.Unsafe<unknown>(
  Type.Ref('NewService', { description: 'The service, as HSDS has it.', examples: [exampleNewService] }),
);

const create = {
  operationId: 'createService',
  tags,
  summary: 'Add a service',
  description: `Adds a service to the library. Leave \`id\` out to have one made. Sent twice like that it is two services: where an answer may get lost, send an \`id\` of your own, a UUID. Sent again, it is refused as \`service-exists\`, and the first stands. Its organisation is named by \`organization_id\`, if the library has it, or sent whole; a provider’s is their own. ${kept}`,
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
  description: `Puts a service in the place of the one with this id: read it, change what you want to change, and send it whole. ${kept}`,
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
    'Takes a service out of the library for good. One that referrals were made to stays: set its `status` to `inactive` or `defunct`. A service that a feed brings comes back with it: set its `status` instead.',
  params,
  headers: ifMatch,
  response: {
    204: { description: 'The service is gone.', type: 'null' },
    ...refusals('by-id', 'if-match'),
    ...problemAnswers({ 409: 'Referrals were made to this service.' }),
  },
};

import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { type FormErrors, fieldError, readUntrimmedFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { notFound, Problem } from '../../../platform/problem/index.ts';
import { findServiceForReferral } from '../../channels/settings-store.ts';
import { servicePath } from '../../view/links.ts';
import { createList, maxLists, organisationOf } from '../lists.ts';
import { saveService } from '../saved-services.ts';
import { findListsWith, listLists } from '../store.ts';
import { correctableErrors, done, listPath } from './list-pages.ts';

const config = page(signedIn());
const querystring = Type.Object({ service: Type.String({ maxLength: 200 }) });

/** Saves a service on a list or on a new one. */
export function savePages(app: App, deps: WebPlatform): void {
  app.get('/lists/save', { config, schema: { querystring } }, (request, reply) =>
    send(deps, request, reply, { serviceId: request.query.service, name: '' }),
  );

  app.post('/lists/save', { config, schema: { body: anyForm } }, async (request, reply) => {
    const { service, list, name } = readUntrimmedFields(request.body, ['service', 'list', 'name']);
    const shown = { serviceId: service, name };
    if (list === '') {
      const errors = fieldError('list', 'Choose a list, or create a new one');
      return send(deps, request, reply.code(422), { ...shown, errors });
    }
    try {
      const caller = requireCaller(request);
      await requireService(deps, service);
      const id = list === 'new' ? (await createList(deps, caller, name, request.ip)).id : list;
      await saveService(deps, caller, { listId: id, serviceId: service }, request.ip);
      return reply.redirect(done.path(listPath(id), 'saved'), 303);
    } catch (error) {
      return send(deps, request, reply.code(422), { ...shown, errors: correctableErrors(error) });
    }
  });
}

type PageState = { serviceId: string; name: string; errors?: FormErrors };

async function send(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  { serviceId, name, errors }: PageState,
) {
  const organisationId = organisationOf(requireCaller(request));
  const service = await requireService(deps, serviceId);
  const [lists, listsWithService] = await Promise.all([
    listLists(deps.db, organisationId, { limit: maxLists }),
    findListsWith(deps.db, organisationId, serviceId),
  ]);
  return deps.pages.send(request, reply, 'library/saved-lists/templates/save-service.njk', {
    errors,
    form: { values: { name }, errors },
    service: { ...service, path: servicePath(service.id) },
    lists: lists
      .map((list) => ({ ...list, has: listsWithService.has(list.id) }))
      .toSorted((one, other) => one.name.localeCompare(other.name, 'en-GB')),
  });
}

async function requireService({ db }: WebPlatform, id: string) {
  const service = await findServiceForReferral(db, id);
  if (!service) throw new Problem(notFound, 'The library has no such service.');
  return service;
}

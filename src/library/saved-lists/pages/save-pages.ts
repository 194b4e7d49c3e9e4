import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { type FormErrors, fieldError, readUntrimmedFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { notFound, Problem } from '../../../platform/problem/index.ts';
import { findServiceForReferral } from '../../channels/settings-store.ts';
import { servicePath } from '../../view/links.ts';
import { createList, maxLists, organisationOf } from '../lists.ts';
import { findListsWith, listLists } from '../saved-lists-store.ts';
import { saveOnList } from '../saved-services.ts';
import { correctableErrors, done, listPath } from './list-pages.ts';

const config = page(signedIn());
const querystring = Type.Object({ service: Type.String({ maxLength: 200 }) });

/** Saves a service on a list or on a new one. */
export function savePages(app: App, deps: WebPlatform): void {
  app.get('/lists/save', { config, schema: { querystring } }, (request, reply) =>
    sendForm(deps, request, reply, {
      serviceId: request.query.service,
      name: '',
      backPath: resultsPath(request.headers.referer),
    }),
  );

  app.post('/lists/save', { config, schema: { body: anyForm } }, async (request, reply) => {
    const form = readUntrimmedFields(request.body, ['service', 'list', 'name', 'back']);
    const { service, list, name } = form;
    const backPath = resultsPath(form.back);
    const shown = { serviceId: service, name, backPath };
    if (list === '') {
      const errors = fieldError('list', 'Choose a list, or create a new one');
      return sendForm(deps, request, reply.code(422), { ...shown, errors });
    }
    try {
      const caller = requireCaller(request);
      await requireService(deps, service);
      const id = list === 'new' ? (await createList(deps, caller, name, request.ip)).id : list;
      await saveOnList(deps, caller, { listId: id, serviceId: service }, request.ip);
      const savedPath = backPath ? pathOfSaved(backPath, service, id) : done.path(listPath(id), 'saved');
      return reply.redirect(savedPath, 303);
    } catch (error) {
      return sendForm(deps, request, reply.code(422), { ...shown, errors: correctableErrors(error) });
    }
  });
}

/**
 * The results from which somebody came, to go back there. Only the path and the query of an address of results are kept, so that it cannot lead
 * elsewhere.
 */
function resultsPath(address: string | undefined): string | undefined {
  const from = URL.parse(address || '/', 'http://site.invalid');
  if (!from || !/^\/(services|referrals\/[\w-]{1,100}\/reroute)$/.test(from.pathname)) return undefined;
  for (const name of ['saved', 'list']) from.searchParams.delete(name);
  return `${from.pathname}${from.search}`;
}

/** The results, at the service that was saved, which says on which list it is. */
function pathOfSaved(backPath: string, serviceId: string, listId: string): string {
  const query = new URLSearchParams({ saved: serviceId, list: listId });
  return `${backPath}${backPath.includes('?') ? '&' : '?'}${query}#save-${encodeURIComponent(serviceId)}`;
}

type PageState = {
  serviceId: string;
  name: string;
  backPath: string | undefined;
  errors?: FormErrors;
};

async function sendForm(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  { serviceId, name, backPath, errors }: PageState,
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
    backPath,
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

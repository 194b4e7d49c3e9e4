import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { localTime } from '../../../platform/clock/index.ts';
import {
  type FormErrors,
  fieldError,
  readUntrimmedFields,
  successBanner,
  toFormErrors,
} from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { Problem } from '../../../platform/problem/index.ts';
import { listSensitiveServices } from '../../channels/settings-store.ts';
import { serviceSchedules } from '../../hours/opening-hours.ts';
import { emailLink, phoneViews, webLink } from '../../view/links.ts';
import { type ListedService, resultView } from '../../view/result-view.ts';
import { openTimes } from '../../view/times.ts';
import { deleteList, listFull, readOwnList, renameList } from '../lists.ts';
import { listSavedServices, type SavedService, type ServiceList } from '../saved-lists-store.ts';
import { maxServicesOnList, removeFromList } from '../saved-services.ts';

const idParams = Type.Object({ id: Type.String() });

export const done = successBanner({
  created: 'The list was created.',
  renamed: 'The list has its new name.',
  deleted: 'The list was deleted. Its services are still in the library.',
  saved: 'The service was added to this list.',
  removed: 'The service was removed from the list.',
});
export const doneQuery = Type.Object({ done: done.query });

export function listPath(id: string): string {
  return `/lists/${id}`;
}

/** The error for the form to show again. @throws the error itself if nobody can correct it in the form. */
export function correctableErrors(error: unknown): FormErrors {
  const isCorrectable = error instanceof Problem && [409, 422].includes(error.kind.status);
  if (!isCorrectable) throw error;
  if (error.errors) return toFormErrors({ name: 'Name' }, error);
  return fieldError(error.kind === listFull ? 'list' : 'name', error.kind.title);
}

const config = page(signedIn());
const schema = { params: idParams, body: anyForm };

/** One list, to read, print and change. */
export function listPage(app: App, deps: WebPlatform): void {
  const reading = { params: idParams, querystring: doneQuery };
  app.get('/lists/:id', { config, schema: reading }, async (request, reply) => {
    const list = await readOwnList(deps.db, requireCaller(request), request.params.id);
    return sendList(deps, request, reply, { list, name: list.name, done: done.words(request.query.done) });
  });
  renamePage(app, deps);
  deletePages(app, deps);

  app.post('/lists/:id/take-off', { config, schema }, async (request, reply) => {
    const { id } = request.params;
    const { service } = readUntrimmedFields(request.body, ['service']);
    await removeFromList(deps, requireCaller(request), { listId: id, serviceId: service }, request.ip);
    return reply.redirect(done.path(listPath(id), 'removed'), 303);
  });
}

function renamePage(app: App, deps: WebPlatform): void {
  app.post('/lists/:id/rename', { config, schema }, async (request, reply) => {
    const { id } = request.params;
    const { name } = readUntrimmedFields(request.body, ['name']);
    const caller = requireCaller(request);
    try {
      await renameList(deps, caller, { id, name }, request.ip);
      return reply.redirect(done.path(listPath(id), 'renamed'), 303);
    } catch (error) {
      const errors = correctableErrors(error);
      const list = await readOwnList(deps.db, caller, id);
      return sendList(deps, request, reply.code(422), { list, name, errors });
    }
  });
}

function deletePages(app: App, deps: WebPlatform): void {
  const asking = { params: idParams };
  app.get('/lists/:id/delete', { config, schema: asking }, async (request, reply) => {
    const list = await readOwnList(deps.db, requireCaller(request), request.params.id);
    return deps.pages.send(request, reply, 'library/saved-lists/templates/delete-list.njk', {
      list,
      listPath: listPath(list.id),
    });
  });
  app.post('/lists/:id/delete', { config, schema }, async (request, reply) => {
    await deleteList(deps, requireCaller(request), request.params.id, request.ip);
    return reply.redirect(done.path('/lists', 'deleted'), 303);
  });
}

type PageState = { list: ServiceList; name: string; errors?: FormErrors; done?: string | undefined };

async function sendList(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  { list, name, ...shown }: PageState,
) {
  const now = deps.clock.now();
  const saved = await listSavedServices(deps.db, list.id, { limit: maxServicesOnList });
  const sensitive = new Set(await listSensitiveServices(deps.db));
  return deps.pages.send(request, reply, 'library/saved-lists/templates/list.njk', {
    ...shown,
    list,
    listPath: listPath(list.id),
    form: { values: { name }, errors: shown.errors },
    services: saved.map((each, index) => ({
      ...savedView(each, now),
      number: index + 1,
      isSensitive: sensitive.has(each.serviceId),
    })),
    now,
  });
}

function savedView({ document, serviceId, status, savedAt, savedBy }: SavedService, now: Date) {
  const service = JSON.parse(document) as ListedService;
  const today = localTime(now);
  const times = openTimes(serviceSchedules(service), today.day.date);
  return {
    ...resultView(service, { now: today }),
    // Lists are printed. The next opening would be wrong tomorrow, so they show all opening times.
    opening: times.map(({ when, note }) => (note ? `${when} (${note})` : when)).join('; '),
    id: serviceId,
    active: status === 'active',
    savedAt,
    savedBy,
    phones: phoneViews(service.phones),
    email: emailLink(service.email),
    link: webLink(service.url),
  };
}

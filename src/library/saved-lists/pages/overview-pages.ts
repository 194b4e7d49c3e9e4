import { requireCaller } from '../../../accounts/index.ts';
import { type FormErrors, readUntrimmedFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { createList, maxLists, organisationOf } from '../lists.ts';
import { listLists } from '../saved-lists-store.ts';
import { correctableErrors, done, doneQuery, listPath } from './list-pages.ts';

const config = page(signedIn());

/** All lists of the organisation, and the form that makes a new one. */
export function overviewPages(app: App, deps: WebPlatform): void {
  app.get('/lists', { config, schema: { querystring: doneQuery } }, (request, reply) =>
    sendLists(deps, request, reply, { done: done.words(request.query.done), name: '' }),
  );

  app.post('/lists', { config, schema: { body: anyForm } }, async (request, reply) => {
    const { name } = readUntrimmedFields(request.body, ['name']);
    try {
      const { id } = await createList(deps, requireCaller(request), name, request.ip);
      return reply.redirect(done.path(listPath(id), 'created'), 303);
    } catch (error) {
      return sendLists(deps, request, reply.code(422), { name, errors: correctableErrors(error) });
    }
  });
}

type PageState = { name: string; errors?: FormErrors; done?: string | undefined };

async function sendLists(deps: WebPlatform, request: Request, reply: Reply, { name, ...shown }: PageState) {
  const organisationId = organisationOf(requireCaller(request));
  const lists = await listLists(deps.db, organisationId, { limit: maxLists });
  return deps.pages.send(request, reply, 'library/saved-lists/templates/lists.njk', {
    ...shown,
    form: { values: { name }, errors: shown.errors },
    lists: lists.toSorted((one, other) => one.name.localeCompare(other.name, 'en-GB')),
  });
}

import type { Caller } from '../accounts/index.ts';
import {
  type App,
  admitted,
  page,
  type Reply,
  type Request,
  signedIn,
  visitor,
} from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import { manageView } from './editing/pages/manage-view.ts';
import type { Service } from './hsds/service.ts';
import { listRequest } from './search/list-query.ts';
import { searchServices } from './search/search-services.ts';
import { findServiceDocument, findServiceForReferral, listUsedTerms } from './services/store.ts';
import { type Asked, findPath, pagination, readAsked, resultsPerPage, termGroups } from './view/find-view.ts';
import { resultView, serviceView, whyNoReferral } from './view/service-view.ts';
import { countInWords } from './view/words.ts';

/** Finding a service, and reading about one. Open to everyone where the library is. */
export function libraryPages(app: App, deps: WebPlatform): void {
  const config = page(deps.settings.libraryPublic ? visitor : signedIn());

  app.get('/services', { config, schema: { hide: true } }, async (request, reply) => {
    const asked = readAsked(request.query as Record<string, unknown>);
    return findPage(deps, request, reply, asked);
  });

  app.get<{ Params: { id: string } }>(
    '/services/:id',
    { config, schema: { hide: true } },
    async (request, reply) => {
      const { id } = request.params;
      const [document, service] = await Promise.all([
        findServiceDocument(deps.db, id),
        findServiceForReferral(deps.db, id),
      ]);
      if (document === undefined || !service) throw new Problem(notFound, 'The library has no such service.');
      const today = deps.clock.now().toISOString().slice(0, 10);
      return deps.pages.send(request, reply, 'library/templates/service.njk', {
        service: serviceView(JSON.parse(document) as Service, today),
        noReferral: whyNoReferral(service),
        manage: await manageView(deps.db, admitted(request) as Caller | undefined, service),
        referralPath: `/referrals/new?service=${encodeURIComponent(service.id)}`,
      });
    },
  );
}

async function findPage(deps: WebPlatform, request: Request, reply: Reply, asked: Asked) {
  const template = 'library/templates/find.njk';
  const groups = termGroups(await listUsedTerms(deps.db));
  if (asked.error !== undefined) {
    return deps.pages.send(request, reply.code(400), template, { asked, groups });
  }
  const { search, termId, page } = asked;
  const query = {
    search,
    taxonomy_term_id: termId === '' ? [] : [termId],
    full: true,
    page,
    per_page: resultsPerPage,
  };
  const found = await searchServices(deps.db, await listRequest(deps, query, '/query'));
  const pages = pagination(asked, found.total);
  if (found.size === 0 && found.total > 0) return reply.redirect(findPath(asked, pages?.last ?? 1), 303);
  const services = JSON.parse(`[${found.contents}]`) as Service[];
  return deps.pages.send(request, reply, template, {
    asked,
    groups,
    pages,
    count: countInWords(found.total, 'service', 'services'),
    searchedFor: found.searchedFor,
    results: services.map(resultView),
  });
}

import { type Static, Type } from 'typebox';
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
import { entryDone } from './editing/pages/entry-done.ts';
import { manageView } from './editing/pages/manage-view.ts';
import { findPath, readAsked } from './find/asked.ts';
import { findServices } from './find/find-services.ts';
import { type ListedService, referralPath, savePath } from './find/result-view.ts';
import { wayBack } from './find/way-back.ts';
import { localTime } from './hours/local-time.ts';
import { locatePlace } from './postcodes/locate.ts';
import { nobodyAnswers } from './services/nobody-answers.ts';
import { findServiceDocument, findServiceForReferral } from './services/store.ts';
import { servicePath } from './view/links.ts';
import { serviceView, whyNoReferral } from './view/service-view.ts';

const querystring = Type.Object({ done: entryDone.query }, { additionalProperties: true });

/** Finding a service, and reading about one. Open to everyone where the library is. */
export function libraryPages(app: App, deps: WebPlatform): void {
  const config = page(deps.settings.libraryPublic ? visitor : signedIn());

  app.get('/services', { config, schema: { hide: true } }, async (request, reply) =>
    findPage(deps, request, reply),
  );

  app.get<{ Params: { id: string }; Querystring: Static<typeof querystring> }>(
    '/services/:id',
    { config, schema: { hide: true, querystring } },
    async (request, reply) => {
      const { id } = request.params;
      const asked = readAsked(request.query as Record<string, unknown>);
      const place = await locatePlace(deps.db, asked.postcode);
      const [document, service] = await Promise.all([
        findServiceDocument(deps.db, id, place),
        findServiceForReferral(deps.db, id),
      ]);
      if (document === undefined || !service) throw new Problem(notFound, 'The library has no such service.');
      const unanswered = await nobodyAnswers(deps.db, service);
      const viewpoint = {
        now: localTime(deps.clock.now()),
        place,
        reviewDays: deps.settings.libraryReviewDays,
      };
      return deps.pages.send(request, reply, 'library/templates/service.njk', {
        service: serviceView(JSON.parse(document) as ListedService, viewpoint),
        searched: place,
        backPath: wayBack(request.headers.referer, asked),
        noReferral: whyNoReferral(service, unanswered && deps.settings.mode === 'live'),
        unanswered,
        isRunning: service.status === 'active',
        manage: await manageView(deps.db, admitted(request) as Caller | undefined, service),
        referralPath: referralPath(service.id),
        savePath: savePath(service.id),
        address: `${deps.settings.baseUrl}${servicePath(service.id)}`,
        now: deps.clock.now(),
        done: entryDone.words(request.query.done),
      });
    },
  );
}

async function findPage(deps: WebPlatform, request: Request, reply: Reply) {
  const asked = readAsked(request.query as Record<string, unknown>);
  const found = await findServices(deps, asked);
  const { pages } = found;
  if (pages && asked.page > pages.last) return reply.redirect(findPath(asked, pages.last), 303);
  if (found.errors) reply.code(400);
  return deps.pages.send(request, reply, 'library/templates/find.njk', found);
}

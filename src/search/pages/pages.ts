import { type Static, Type } from 'typebox';
import { optionalCaller } from '../../accounts/index.ts';
import {
  crisisHelpFor,
  findServiceDocument,
  findServiceForReferral,
  isUnattended,
  type ListedService,
  locatePlace,
  manageView,
  readPostcodeText,
  referralFormPath,
  savedBanner,
  savePath,
  servicePath,
  serviceView,
  whyNoReferral,
} from '../../library/index.ts';
import { localTime } from '../../platform/clock/index.ts';
import type { App, Reply, Request } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { comparePage, maxCompared, nothingTicked } from './compare-page.ts';
import { type FindForm, findPath, readForm } from './find-form.ts';
import { type FindDeps, findServices } from './find-services.ts';
import { libraryPageConfig } from './library-page-config.ts';
import {
  comparePathname,
  pathBackToSearch,
  reroutedBefore,
  savedBefore,
  searchBefore,
} from './opened-from.ts';

type PageDeps = WebPlatform & FindDeps;

const querystring = Type.Object({ done: savedBanner.query }, { additionalProperties: true });

type ServiceRoute = { Params: { id: string }; Querystring: Static<typeof querystring> };

/** Finding a service, and reading about one. Open to everyone if the library is public. */
export function searchPages(app: App, deps: PageDeps): void {
  const config = libraryPageConfig(deps.settings);

  app.get('/services', { config, schema: { hide: true } }, async (request, reply) =>
    sendFindPage(deps, request, reply),
  );

  comparePage(app, deps);

  app.get<ServiceRoute>(
    '/services/:id',
    { config, schema: { hide: true, querystring } },
    async (request, reply) => sendServicePage(deps, request, reply),
  );
}

async function sendFindPage(deps: PageDeps, request: Request, reply: Reply) {
  const form = readForm(request.query as Record<string, unknown>);
  const marksUnattended = optionalCaller(request)?.roles.includes('operator') ?? false;
  const found = await findServices(deps, form, { path: findPath, marksUnattended });
  const { pages } = found;
  if (pages && form.page > pages.last) return reply.redirect(findPath(form, pages.last), 303);
  if (found.errors) reply.code(400);
  const crisisHelp = crisisHelpFor(deps.settings, form.search);
  return deps.pages.sendCompressed(request, reply, 'search/templates/find.njk', {
    ...found,
    crisisHelp,
    maxCompared,
    nothingTicked: (request.query as Record<string, unknown>)[nothingTicked] !== undefined,
    saved: savedBefore(request.query as Record<string, unknown>),
  });
}

async function sendServicePage(deps: PageDeps, request: Request<ServiceRoute>, reply: Reply) {
  const { id } = request.params;
  const form = readForm(request.query as Record<string, unknown>);
  const place = await locatePlace(deps.db, form.postcode);
  const [document, service] = await Promise.all([
    findServiceDocument(deps.db, id, place),
    findServiceForReferral(deps.db, id),
  ]);
  if (document === undefined || !service) throw new Problem(notFound, 'The library has no such service.');
  const unattended = await isUnattended(deps.db, service);
  const viewpoint = {
    now: localTime(deps.clock.now()),
    place,
    postcode: readPostcodeText(form.postcode),
    reviewDays: deps.settings.libraryReviewDays,
  };
  const { referer } = request.headers;
  const { age } = searchBefore(referer, form);
  const rerouted = reroutedBefore(referer);
  const filledIn = rerouted ? { reroutes: rerouted.id } : { postcode: form.postcode, age };
  return deps.pages.sendCompressed(request, reply, 'search/templates/service.njk', {
    isSensitive: service.sensitive,
    service: serviceView(JSON.parse(document) as ListedService, viewpoint),
    searched: place,
    ...(rerouted && !rerouted.path.startsWith(comparePathname)
      ? { backPath: rerouted.path, backText: 'Back to results' }
      : pathBackFrom(deps.settings.baseUrl, referer, form)),
    noReferral: whyNoReferral(service, unattended && deps.settings.mode === 'live'),
    unanswered: unattended,
    isRunning: service.status === 'active',
    manage: await manageView(deps.db, optionalCaller(request), service),
    referralFormPath: referralFormPath(service.id, filledIn),
    savePath: savePath(service.id),
    address: `${deps.settings.baseUrl}${servicePath(service.id)}`,
    now: deps.clock.now(),
    done: savedBanner.words(request.query.done),
  });
}

/** Pages of this site, besides the search, that list services; their words for the way back. */
const listsOfServices: Readonly<Record<string, string>> = {
  '/': 'Home',
  '/library': 'Your services',
  '/library/review': 'Services to check',
};

/** The list from which a service's page was opened, or the search. */
function pathBackFrom(baseUrl: string, referer: string | undefined, form: FindForm) {
  const given = URL.parse(referer ?? '');
  const from = given?.origin === new URL(baseUrl).origin ? given : undefined;
  if (from?.pathname === comparePathname)
    return { backPath: from.pathname + from.search, backText: 'Compare services' };
  const list = from && listsOfServices[from.pathname];
  if (list) return { backPath: from.pathname, backText: list };
  return { backPath: pathBackToSearch(referer, form), backText: 'Find a service' };
}

import {
  crisisHelpFor,
  findServiceDocument,
  type ListedService,
  listSensitiveServices,
  locatePlace,
  offersOf,
  phoneViews,
  readPostcodeText,
  serviceView,
} from '../../library/index.ts';
import { localTime } from '../../platform/clock/index.ts';
import { type App, anyone, page, type Reply, type Request } from '../../platform/http/index.ts';
import type { Platform, WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { type FindForm, pathFrom, readForm } from '../pages/find-form.ts';
import { type FindDeps, findServices } from '../pages/find-services.ts';
import { pathBackToSearch } from '../pages/opened-from.ts';
import { hasDirectoryEntry } from './directory-store.ts';
import { unmetNeedCounter } from './unmet-need.ts';

type Deps = WebPlatform & FindDeps;

const directoryPath = '/find';
const pathOf = (id: string) => `${directoryPath}/${encodeURIComponent(id)}`;

/** The directory leaves out services that nobody has checked for longer: its readers have nobody to ask whether an entry is right. */
const maxYearsUnchecked = 2;

/**
 * The library for everybody, where the operator switched it on. It has nothing about referrals, says nothing of who reads it, and
 * keeps no words that people search for. @param selfReferralPaths where people can refer themselves, by the ids of the services
 */
export function directoryPages(
  app: App,
  deps: Deps,
  selfReferralPaths: (serviceIds: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): void {
  if (!deps.settings.publicDirectory) return;
  const countUnmetNeed = unmetNeedCounter(deps);
  const config = page(anyone, { countsAsCall: true });
  const schema = { hide: true } as const;

  app.get(directoryPath, { config, schema }, async (request, reply) => {
    const form = readDirectoryForm(request);
    const path = pathFrom(directoryPath);
    const result = await findServices(deps, form, { path, checkedSince: checkedSince(deps) });
    const { pages } = result;
    if (pages && form.page > pages.last) return reply.redirect(path(form, pages.last), 303);
    if (result.errors) reply.code(400);
    else await countUnmetNeed(request, { form, total: result.total, district: result.place?.district });
    setCachingAndIndexing(deps, request, reply);
    const shown = result.groups?.flatMap(({ results }) => results.map(({ service }) => service.id)) ?? [];
    const paths = await selfReferralPaths(shown);
    const forEverybody = (each: Result) => resultForEverybody(each, paths.has(each.service.id));
    return deps.pages.sendCompressed(request, reply, 'search/templates/find.njk', {
      ...result,
      groups: result.groups?.map((group) => ({ ...group, results: group.results.map(forEverybody) })),
      remote: result.remote && {
        ...result.remote,
        services: result.remote.services.map((each) => ({ ...each, path: pathOf(each.id) })),
      },
      sorts: result.sorts?.filter(({ sort }) => sort !== 'responsiveness'),
      crisisHelp: crisisHelpFor(deps.settings, form.search),
      base: directoryPath,
      directory: true,
    });
  });

  app.get<{ Params: { id: string } }>(`${directoryPath}/:id`, { config, schema }, async (request, reply) => {
    const { id } = request.params;
    const form = readDirectoryForm(request);
    const place = await locatePlace(deps.db, form.postcode);
    const document = (await isListedInDirectory(deps, id))
      ? await findServiceDocument(deps.db, id, place)
      : undefined;
    if (document === undefined) throw new Problem(notFound, 'The directory has no such service.');
    const isSensitive = (await listSensitiveServices(deps.db)).includes(id);
    const now = deps.clock.now();
    const viewpoint = { now: localTime(now), place, postcode: readPostcodeText(form.postcode) };
    const view = serviceView(JSON.parse(document) as ListedService, viewpoint);
    setCachingAndIndexing(deps, request, reply, isSensitive);
    return deps.pages.sendCompressed(request, reply, 'search/templates/directory-service.njk', {
      // Only staff see how a service answers referrals, and whose address says that an entry is right.
      service: { ...view, answers: undefined, checkedBy: undefined },
      searched: place,
      isSensitive,
      selfReferralPath: (await selfReferralPaths([id])).get(id),
      backPath: pathBackToSearch(request.headers.referer, form, directoryPath),
      address: `${deps.settings.baseUrl}${pathOf(id)}`,
      shareHint: 'It says nothing about you, nor what you searched for.',
      now,
    });
  });

  app.get('/robots.txt', { config: page(anyone), schema }, (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(robots(deps)),
  );
}

/** Whether the directory has the service now. */
export function isListedInDirectory(
  deps: Pick<Platform, 'db' | 'clock'>,
  serviceId: string,
): Promise<boolean> {
  return hasDirectoryEntry(deps.db, serviceId, checkedSince(deps));
}

/** Search engines find the services, and no search. Nothing on a test site is real. */
function robots({ settings }: Deps): string {
  const rules =
    settings.mode === 'test'
      ? ['Disallow: /']
      : [`Allow: ${directoryPath}`, 'Allow: /assets/', `Disallow: ${directoryPath}?`, 'Disallow: /'];
  return ['User-agent: *', ...rules, ''].join('\n');
}

/**
 * A page that shows what somebody searched for, or where they are, is kept by nobody. Any other is the same for everybody, so
 * browsers and proxies may keep it for a minute. Search engines must not index sensitive services.
 */
function setCachingAndIndexing(
  { settings }: Deps,
  request: Request,
  reply: Reply,
  isSensitive = false,
): void {
  const isAboutReader =
    request.url.includes('?') || URL.parse(request.headers.referer ?? '')?.pathname === directoryPath;
  if (!isAboutReader && !isSensitive && reply.statusCode === 200)
    reply.header('cache-control', 'public, max-age=60');
  if (isAboutReader || isSensitive || settings.mode === 'test') reply.header('x-robots-tag', 'noindex');
}

/** The search form, without the filters and orders that only staff have. */
function readDirectoryForm(request: Request): FindForm {
  const form = readForm(request.query as Record<string, unknown>);
  const sort = form.sort === 'responsiveness' ? undefined : form.sort;
  return { ...form, sort, accepting: false };
}

function checkedSince({ clock }: Pick<Platform, 'clock'>): Date {
  const [year, month, day] = localTime(clock.now()).day.date.split('-').map(Number) as [
    number,
    number,
    number,
  ];
  return new Date(Date.UTC(year - maxYearsUnchecked, month - 1, day));
}

type Result = NonNullable<Awaited<ReturnType<typeof findServices>>['groups']>[number]['results'][number];

/** The numbers that somebody answers by voice. The service’s own page has the others too, such as a fax. */
function voicePhones(phones: Result['service']['phones']) {
  return phones?.filter(({ type = 'voice' }) => ['voice', 'cell'].includes(type));
}

/** Without what only staff see, and with what people need to get in touch themselves. */
function resultForEverybody(result: Result, mayReferThemselves: boolean) {
  const phone = phoneViews(voicePhones(result.service.phones)).at(0);
  const takesThem = mayReferThemselves || offersOf(result.service).features.includes('self-referral');
  const own = takesThem ? [{ text: 'You can refer yourself', colour: 'green' }] : [];
  return {
    ...result,
    path: pathOf(result.service.id),
    accepts: false,
    answers: undefined,
    phone,
    tags: [...result.tags, ...own],
  };
}

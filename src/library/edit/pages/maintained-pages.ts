import { type Static, Type } from 'typebox';
import { type Caller, requireCaller } from '../../../accounts/index.ts';
import { daysLater, localTime, momentOf } from '../../../platform/clock/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import { dayMs } from '../../../platform/durations.ts';
import { readChoices, readFields } from '../../../platform/html/index.ts';
import {
  type App,
  anyForm,
  keyCursor,
  page,
  type Reply,
  type Request,
  readKeyCursor,
  signedIn,
} from '../../../platform/http/index.ts';
import { isUuid } from '../../../platform/ids/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { notFound, Problem } from '../../../platform/problem/index.ts';
import { findServiceDocuments } from '../../hsds/services-store.ts';
import { servicePath } from '../../view/links.ts';
import { ownOrganizationId } from '../editors.ts';
import {
  countDueForCheck,
  countDueForCheckByOrganization,
  countDueForCheckBySource,
  type DueInOrganization,
  listDueForCheck,
  listServices,
  type MaintainedService,
  type ServiceListRequest,
} from '../state/review-store.ts';
import { markStillRight } from '../state/set-availability.ts';
import { availabilityChoices, availabilityInSentences, savedBanner } from './manage-view.ts';

const pageLength = 25;
const cursor = Type.Optional(Type.String({ maxLength: 5000 }));
const querystring = Type.Object({ cursor, done: savedBanner.query });
const reviewQuery = Type.Object({
  ...querystring.properties,
  source: Type.Optional(Type.String({ maxLength: 50 })),
  organization: Type.Optional(Type.String({ maxLength: 200 })),
});
type ReviewQuery = Static<typeof reviewQuery>;
const reviewTemplate = 'library/edit/templates/review.njk';
const operatorsPath = '/operator/library/review';
/** How many organisations the filter offers: more than that, and nobody finds one in it. */
const maxOrganizations = 300;

/** A provider's own services, and services to check: a provider's own, or all of them for an operator. */
export function maintainedServicePages(app: App, deps: WebPlatform): void {
  const provider = page(signedIn('provider'));
  app.get('/library', { config: provider, schema: { querystring } }, (request, reply) =>
    sendList(deps, request, reply, {
      template: 'library/edit/templates/own-services.njk',
      path: '/library',
      keyShape: nameCursor,
      find: (part) => listServices(deps.db, { ...part, organizationId: ownServicesOf(request) }),
    }),
  );
  stillRightRoute(app, deps, '/library/review', provider);
  app.get('/library/review', { config: provider, schema: { querystring } }, (request, reply) =>
    sendList(deps, request, reply, {
      template: reviewTemplate,
      path: '/library/review',
      more: { stillRightPath: '/library/review' },
      keyShape: dayCursor,
      find: (part) =>
        listDueForCheck(deps.db, { ...part, organizationId: ownServicesOf(request), ...overdueLimits(deps) }),
    }),
  );
  // Each source has its own list, because a whole imported directory would bury the services that people here maintain.
  const config = page(signedIn('operator'));
  stillRightRoute(app, deps, operatorsPath, config);
  app.get(operatorsPath, { config, schema: { querystring: reviewQuery } }, async (request, reply) => {
    const { source: sourceId, organization: organizationId = '' } = request.query;
    if (sourceId !== undefined && !isUuid(sourceId)) throw new Problem(notFound);
    const limits = overdueLimits(deps);
    const sources = await countDueForCheckBySource(deps.db, limits);
    const source = sources.find(({ id }) => id === sourceId);
    // Everything from this source has been checked meanwhile.
    if (sourceId !== undefined && !source) return reply.redirect(operatorsPath, 303);
    const maintainer = source ? { sourceId: source.id } : ('here' as const);
    const path = reviewPath(operatorsPath, { source: sourceId, organization: organizationId });
    const counts = await countDueForCheckByOrganization(deps.db, limits, maintainer);
    const listed = organizationId === '' ? counts : counts.filter(({ id }) => id === organizationId);
    // Everything of this organisation has been checked meanwhile.
    if (listed.length === 0 && organizationId !== '') {
      const { done } = request.query;
      return reply.redirect(reviewPath(operatorsPath, { source: sourceId, done }), 303);
    }
    return sendList(deps, request, reply, {
      template: reviewTemplate,
      path,
      keyShape: dayCursor,
      find: (part) =>
        listDueForCheck(deps.db, { ...part, organizationId: organizationId || null, ...limits, maintainer }),
      more: {
        stillRightPath: path,
        source,
        sources: sources.map((each) => ({ ...each, href: `${operatorsPath}?source=${each.id}` })),
        organizationId,
        organizations: organizationChoices(counts, organizationId),
        withMostOnly: counts.length > maxOrganizations,
        ...(await countsOf(deps, { listed, isLimited: Boolean(source || organizationId) })),
      },
    });
  });
}

/**
 * The whole list says how many services are due in all, as the home page does, and how many of them it leaves to other lists. One that is
 * limited to a source or an organisation says how many rows it has.
 */
async function countsOf(
  deps: WebPlatform,
  { listed, isLimited }: { listed: readonly DueInOrganization[]; isLimited: boolean },
): Promise<{ count: number; countImported: number }> {
  const listedCount = listed.reduce((sum, { count }) => sum + count, 0);
  const count = isLimited ? listedCount : await countServicesDueForCheck(deps);
  return { count, countImported: count - listedCount };
}

/** The organisations of the filter: those with the most to check, by name, and the one that was chosen. */
function organizationChoices(counts: readonly DueInOrganization[], chosenId: string) {
  const named = counts.flatMap(({ id, name, count }) =>
    id === null || name === null ? [] : { id, name, count },
  );
  return named
    .filter(({ id }, index) => index < maxOrganizations || id === chosenId)
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en-GB'));
}

/** The address of a list with the source and the organisation that it is limited to. */
function reviewPath(
  path: string,
  { source, organization, done }: Partial<Record<'source' | 'organization' | 'done', string | undefined>>,
): string {
  const query = new URLSearchParams({
    ...(source && { source }),
    ...(organization && { organization }),
    ...(done && { done }),
  });
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Somebody says that services of the list are right as they are: one, or all that the page showed. */
function stillRightRoute(app: App, deps: WebPlatform, path: string, config: ReturnType<typeof page>): void {
  const schema = { querystring: reviewQuery, body: anyForm };
  app.post(path, { config, schema }, async (request, reply) => {
    const { all, confirmed } = readFields(request.body, ['all', 'confirmed']);
    const ids = readChoices(request.body, all === 'yes' ? 'listed' : 'service').slice(0, pageLength);
    if (all === 'yes' && confirmed !== 'yes')
      return askBeforeConfirmingAll(deps, request, reply, { ids, path });
    for (const id of ids) await markStillRight(deps, requireCaller(request), { id, ipAddress: request.ip });
    const done = ids.length > 1 ? 'all-checked' : 'checked';
    const { source, organization } = request.query;
    return reply.redirect(reviewPath(path, { source, organization, done }), 303);
  });
}

/** Asks first, because one press confirms services that nobody may have opened, and nothing takes it back. */
async function askBeforeConfirmingAll(
  { db, pages }: WebPlatform,
  request: Request<{ Querystring: ReviewQuery }>,
  reply: Reply,
  { ids, path }: { ids: readonly string[]; path: string },
): Promise<Reply> {
  const documents = await findServiceDocuments(db, ids);
  const { source, organization } = request.query;
  const listPath = reviewPath(path, { source, organization });
  return pages.sendCompressed(request, reply, 'library/edit/templates/review-all.njk', {
    listPath,
    services: [...documents].map(([id, { name }]) => ({ id, name, path: servicePath(id) })),
  });
}

/** How many services the operators’ page lists that are due for a check. */
export function countServicesDueForCheck(deps: WebPlatform): Promise<number> {
  return countDueForCheck(deps.db, overdueLimits(deps));
}

/** Services last checked, and availability set, before these dates are overdue. */
function overdueLimits({ clock, settings }: WebPlatform) {
  const now = clock.now().getTime();
  return {
    checkedBefore: daysLater(localTime(clock.now()).day, -settings.libraryReviewDays).date,
    setBefore: new Date(now - settings.capacityReviewDays * dayMs),
  };
}

/** The organisation whose services a provider lists. One without an organisation lists none: no id is empty. */
function ownServicesOf(request: Request): string {
  return ownOrganizationId(requireCaller(request)) ?? '';
}

type ServiceList = {
  template: string;
  path: string;
  /** What the cursors of this list look like. */
  keyShape: Pick<RegExp, 'test'>;
  find: (part: Omit<ServiceListRequest, 'organizationId'>) => Promise<MaintainedService[]>;
  /** What the template is given beside the services. */
  more?: object;
};

async function sendList(
  { pages, settings }: WebPlatform,
  request: Request,
  reply: Reply,
  { template, path, keyShape, find, more = {} }: ServiceList,
): Promise<Reply> {
  const { cursor, done } = request.query as Static<typeof querystring>;
  const services = await find({
    after: positionOf(readKeyCursor(cursor, keyShape)),
    limit: pageLength + 1,
  });
  const shown = services.slice(0, pageLength);
  const last = services.length > pageLength ? shown.at(-1) : undefined;
  const next = last && keyCursor(`${last.key}\0${last.id}`);
  return pages.sendCompressed(request, reply, template, {
    listPath: path,
    rows: shown.map(maintainedServiceRow),
    choices: availabilityChoices,
    done: savedBanner.words(done),
    firstPage: cursor === undefined,
    nextHref: next && `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ cursor: next })}`,
    reviewDays: settings.libraryReviewDays,
    capacityDays: settings.capacityReviewDays,
    ...more,
  });
}

function maintainedServiceRow(service: MaintainedService) {
  return {
    ...service,
    path: servicePath(service.id),
    availability: service.availability && availabilityInSentences[service.availability],
    availabilityStatus: service.availability,
  };
}

/** The first of a provider's services, whose availability the home page can set, and whether there are more. */
export async function firstOwnServices(db: Db, caller: Caller, limit: number) {
  const organizationId = ownOrganizationId(caller) ?? '';
  const services = await listServices(db, { organizationId, after: undefined, limit: limit + 1 });
  return {
    rows: services.slice(0, limit).map(maintainedServiceRow),
    hasMore: services.length > limit,
    choices: availabilityChoices,
  };
}

/** A cursor is the key, the character NUL and the id of the last service. */
const nameCursor = /^[^\0]*\0[^\0]+$/;
const dayCursor = {
  test: (cursor: string) => nameCursor.test(cursor) && isDayOrNone(cursor.split('\0', 1)[0]!),
};

/** Whether this is a day, or nothing. PostgreSQL refuses a day that does not exist. */
function isDayOrNone(text: string): boolean {
  return text === '' || (/^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && momentOf(text) !== undefined);
}

function positionOf(cursor: string | undefined): ServiceListRequest['after'] {
  if (cursor === undefined) return undefined;
  const [key, id] = cursor.split('\0') as [string, string];
  return { key, id };
}

import { listOrganizationsWithProviders } from '../../accounts/index.ts';
import { dayCodes, locate, minuteOf, readPostcode } from '../../library/index.ts';
import { localTime, momentOf } from '../../platform/clock/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { badRequest, wrongInput } from '../../platform/problem/index.ts';
import type { Facet, Filters, PageRequest, SearchPlace, Selection, WantedHours } from './criteria.ts';
import { defaultPerPage, type FilterQuery, type ListQuery } from './parameters.ts';

/** How much of each service an answer has. */
type ServiceDetail = 'summary' | 'document' | 'minimal';
export type ListRequest = PageRequest &
  Selection & { detail: ServiceDetail; facets: readonly Facet[]; termWords?: string };

/** Services on one page if it has only ids and dates: the whole library, so that a client compares its copy in one request. */
export const perPageIfMinimal = 50_000;

/**
 * Reads the parameters of a list of services. @param at where they are: `/query`, or empty for a body
 * @throws Problem `bad-request` that names each wrong parameter.
 */
export async function readListRequest(
  deps: FilterDeps,
  query: ListQuery,
  at: '/query' | '',
): Promise<ListRequest> {
  const detail = query.minimal ? 'minimal' : query.full ? 'document' : 'summary';
  return {
    ...(await readSelection(deps, query, at)),
    detail,
    facets: query.facets ?? [],
    ...readPage(query, detail === 'minimal' ? perPageIfMinimal : undefined),
  };
}

export function readPage(
  query: { page?: number; per_page?: number },
  defaultSize = defaultPerPage,
): Omit<PageRequest, 'search'> {
  return { page: query.page ?? 1, perPage: query.per_page ?? defaultSize };
}

/** The words to look for; undefined if there is no letter or digit. */
export function readSearch(search: string | undefined): string | undefined {
  return search !== undefined && /[\p{L}\p{N}]/u.test(search) ? search : undefined;
}

export async function readSelection(
  deps: FilterDeps,
  query: FilterQuery & { search?: string },
  at: '/query' | '',
): Promise<Selection & Pick<PageRequest, 'search'>> {
  const search = readSearch(query.search);
  const errors = Object.entries(parameterErrors(query)).map(([name, message]) => ({
    pointer: `${at}/${name}`,
    message,
  }));
  if (errors.length > 0) throw wrongInput(badRequest, errors);
  const place = await placeOf(deps.db, query);
  if (place === 'unknown')
    throw wrongInput(badRequest, [{ pointer: `${at}/postcode`, message: unknownPlace }]);
  const defaultSort = search !== undefined ? 'relevance' : place ? 'distance' : 'name';
  const today = localTime(deps.clock.now()).day.date;
  const filters = { ...filtersOf(query), staffedOrganizationIds: await staffedOrganizationsFor(deps, query) };
  return { search, filters, place, today, sort: query.sort ?? defaultSort };
}

const unknownPlace =
  'is in no district that this site knows: check the spelling, or give another one nearby, or a latitude and longitude';

/** The errors of a request, by the names of its parameters. */
function parameterErrors(query: FilterQuery): Record<string, string> {
  return { ...placeErrors(query), ...timeErrors(query), ...ageErrors(query) };
}

function placeErrors({
  postcode,
  latitude,
  longitude,
  proximity,
  sort,
}: FilterQuery): Record<string, string> {
  const hasPoint = latitude !== undefined || longitude !== undefined;
  const hasPlace = postcode !== undefined || hasPoint;
  const needsPlace = 'needs a postcode, or a latitude and longitude, to measure from';
  return {
    ...(hasPoint && latitude === undefined && { latitude: 'is required with a longitude' }),
    ...(hasPoint && longitude === undefined && { longitude: 'is required with a latitude' }),
    ...(postcode !== undefined &&
      !readPostcode(postcode) && { postcode: 'must be a full UK postcode such as ZT1 3GH' }),
    ...(postcode !== undefined &&
      hasPoint && { postcode: 'cannot be combined with a latitude and longitude: send one or the other' }),
    ...(proximity !== undefined && !hasPlace && { proximity: needsPlace }),
    ...(sort === 'distance' && !hasPlace && { sort: `by distance ${needsPlace}` }),
  };
}

const timeShape = /^(([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?|24:00(:00)?)$/;

function timeErrors({ start_time, end_time, open_at, modified_after }: FilterQuery): Record<string, string> {
  const notTime = (text: string | undefined) => text !== undefined && !timeShape.test(text);
  const mustBeTime = 'must be a time of the day such as 17:30';
  const mustBeMoment = 'must be a date and time such as 2026-11-21T09:30:00Z';
  const notMoment = (text: string | undefined) => text !== undefined && !momentOf(text);
  return {
    ...(minuteOf(start_time) !== undefined &&
      minuteOf(end_time) !== undefined &&
      minuteOf(end_time)! <= minuteOf(start_time)! && { end_time: 'must be later than start_time' }),
    ...(notTime(start_time) && { start_time: mustBeTime }),
    ...(notTime(end_time) && { end_time: mustBeTime }),
    ...(isOffCalendar(open_at) && { open_at: 'must be a moment of the years 1970 to 2998' }),
    ...(notMoment(open_at) && { open_at: mustBeMoment }),
    ...(notMoment(modified_after) && { modified_after: `${mustBeMoment}, or a day such as 2026-11-21` }),
  };
}

type FilterDeps = Pick<Platform, 'db' | 'clock' | 'settings'>;

/** Weeks are counted from 1970 on, and calendar days are written with years up to 2999. */
function isOffCalendar(text: string | undefined): boolean {
  const year = text === undefined ? undefined : momentOf(text)?.getUTCFullYear();
  return year !== undefined && (year < 1970 || year > 2998);
}

function ageErrors({ minimum_age = 0, maximum_age = minimum_age }: FilterQuery): Record<string, string> {
  return maximum_age < minimum_age ? { maximum_age: 'must not be less than minimum_age' } : {};
}

async function placeOf(db: Db, query: FilterQuery): Promise<SearchPlace | undefined | 'unknown'> {
  const { postcode, latitude, longitude } = query;
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude, precision: 'point' };
  if (postcode === undefined) return undefined;
  const match = await locate(db, postcode);
  return match
    ? { latitude: match.latitude, longitude: match.longitude, precision: match.precision }
    : 'unknown';
}

/** The organisations of `accepting`. None on a test site, where the simulator answers for everybody. */
async function staffedOrganizationsFor({ db, settings }: FilterDeps, { accepting }: FilterQuery) {
  if (accepting === undefined || settings.mode === 'test') return undefined;
  return [...(await listOrganizationsWithProviders(db))];
}

function filtersOf(query: FilterQuery): Filters {
  return {
    termIds: givenList(query.taxonomy_term_id),
    taxonomyId: query.taxonomy_id,
    organizationId: query.organization_id,
    modifiedAfter: query.modified_after === undefined ? undefined : momentOf(query.modified_after),
    proximity: query.proximity,
    minimumAge: query.minimum_age,
    maximumAge: query.maximum_age,
    hours: wantedHours(query),
    openAt: query.open_at === undefined ? undefined : localTime(momentOf(query.open_at)!),
    accepting: query.accepting,
    availabilities: givenList(query.capacity),
    ways: givenList(query.way),
    languages: givenList(query.language),
    features: givenList(query.feature),
  };
}

/** An empty list is the same as none. */
function givenList<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

function wantedHours({ day: chosen, start_time, end_time }: FilterQuery): WantedHours | undefined {
  const day = givenList(chosen);
  if (day === undefined && start_time === undefined && end_time === undefined) return undefined;
  const days = (day ?? []).map((each) => dayCodes.indexOf(each.slice(0, 2).toUpperCase() as 'MO'));
  return { days, from: minuteOf(start_time), to: minuteOf(end_time) };
}

import {
  areaView,
  countInWords,
  findDistrictCells,
  findExampleDistrict,
  type ListedService,
  listAcceptingUnattended,
  listOpenToReferrals,
  listSensitiveServices,
  listServicesCovering,
  listUsedTerms,
  locatePlace,
  metresPerMile,
  type PostcodeText,
  readDistrict,
  readPostcode,
  referralFormPath,
  remoteWays,
  resultView,
  type SearchedPlace,
  servicePath,
} from '../../library/index.ts';
import { localTime } from '../../platform/clock/index.ts';
import { type FormErrors, toFormErrors } from '../../platform/html/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { badRequest, Problem } from '../../platform/problem/index.ts';
import { type ListDeps, searchServices } from '../listings/service-listings.ts';
import type { MapFile } from '../map-background/map-file.ts';
import { mapFilePath } from '../map-background/map-pages.ts';
import type { Facets, NearbySearch, Sort } from '../query/criteria.ts';
import { facetNames } from '../query/parameters.ts';
import { type ListRequest, readListRequest } from '../query/read-request.ts';
import { formChoices } from './choices.ts';
import {
  type FindForm,
  type FormPath,
  findFormErrors,
  findPath,
  formFields,
  listQuery,
  milesOf,
  wantedTimes,
} from './find-form.ts';
import { readHowToMeet } from './how-to-meet.ts';
import {
  type Chip,
  chipsOf,
  countFiltersInUse,
  pagination,
  resultsPerPage,
  sortLinks,
} from './result-links.ts';
import { type MapResult, resultMap } from './result-map.ts';

export type FindDeps = Platform & ListDeps & { mapFile: MapFile | undefined };

/** What differs where another page shows results as the find page does. */
type FindOptions = {
  path: FormPath;
  exceptIds?: readonly string[];
  checkedSince?: Date;
  /** The person’s postcode, if the site does not know where it is. Areas in words are still compared with it. */
  postcode?: PostcodeText | undefined;
  /** The referral that a new one would replace. */
  reroutes?: string;
  /** For operators: marks services that accept referrals and have nobody to answer them. */
  marksUnattended?: boolean;
};

/** What the find page shows: results, or `errors` about what was typed. `readAs` are words that were read as filters. */
export async function findServices(
  deps: FindDeps,
  form: FindForm,
  options: FindOptions = { path: findPath },
) {
  const reading = readHowToMeet(form);
  if (!reading) return { ...(await findAsTyped(deps, form, options)), readAs: undefined };
  const { meant, ...readAs } = reading;
  const found = await findAsTyped(deps, meant, options);
  if (found.errors || found.total > 0) return { ...found, readAs };
  return { ...(await findAsTyped(deps, form, options)), readAs: undefined };
}

async function findAsTyped(deps: FindDeps, form: FindForm, options: FindOptions) {
  const { path } = options;
  const exampleDistrict = await findExampleDistrict(deps.db);
  const { place, unknownPlace, errors } = await checkForm(deps, form, exampleDistrict);
  if (errors)
    return {
      form,
      errors,
      exampleDistrict,
      choices: formChoices(form, await facetsOfWholeLibrary(deps, options)),
      inUse: countFiltersInUse(form),
    };
  const nearby = place && {
    postcode: place,
    outlinedHere: new Set(await listServicesCovering(deps.db, place)),
  };
  const request = await requestFor(deps, form, nearby, options);
  const found = await searchServices(deps, request);
  const termNames = await termNamesOf(deps, form, found.facets!);
  const chips = chipsOf(form, termNames, place !== undefined);
  const services = found.contents as ListedService[];
  const results = await resultsOf(deps, services, form, place, options);
  return {
    form,
    place,
    unknownPlace,
    exampleDistrict,
    compareFields: [
      ...formFields({ ...form, ticked: [] }),
      ...(options.reroutes ? [['reroutes', options.reroutes]] : []),
    ],
    tickedElsewhere: form.ticked.filter((id) => services.every((service) => service.id !== id)),
    choices: formChoices(form, found.facets!, termNames),
    inUse: countFiltersInUse(form),
    chips: chips.map(({ text, without, isInSummary }) => ({ text, href: path(without), isInSummary })),
    count: countInWords(found.total, 'service', 'services'),
    total: found.total,
    searchedFor: found.searchedFor,
    groups: groupsOf(results, form, request.sort, place),
    remote: await bestRemoteServices(deps, form, nearby, options, services.slice(0, firstRead)),
    pages: pagination(form, found.total, path),
    sorts: sortLinks(form, request.sort, place !== undefined, path),
    withoutOneFilter: found.total > 0 ? [] : await searchesWithoutOneFilter(deps, chips, nearby, options),
    map: form.map ? await mapOf(deps, results, place) : undefined,
    mapHref: path({ ...form, map: !form.map }, form.page),
  };
}

/** The services of a page of results, with what the page says of each and where its links lead. */
async function resultsOf(
  deps: FindDeps,
  services: readonly ListedService[],
  form: FindForm,
  place: SearchedPlace | undefined,
  options: FindOptions,
) {
  const open = await listOpenToReferrals(deps.db, services, deps.settings.mode);
  const ids = services.map(({ id }) => id);
  const unattended = options.marksUnattended ? await listAcceptingUnattended(deps.db, ids) : new Set();
  const viewpoint = {
    now: localTime(deps.clock.now()),
    place,
    postcode: place ? undefined : options.postcode,
    wanted: wantedTimes(form),
    reviewDays: deps.settings.libraryReviewDays,
  };
  const query = placeQuery(form);
  return services.map((service, index) => ({
    ...resultView(service, viewpoint),
    referralFormPath: referralFormPath(
      service.id,
      options.reroutes ? { reroutes: options.reroutes } : { postcode: form.postcode, age: form.age },
    ),
    number: (form.page - 1) * resultsPerPage + index + 1,
    query,
    accepts: open.has(service.id),
    isUnattended: unattended.has(service.id),
    isTicked: form.ticked.includes(service.id),
    service,
  }));
}

/** With the ground, if the site's map file has ground for any of the places. */
async function mapOf(deps: FindDeps, results: readonly MapResult[], place: SearchedPlace | undefined) {
  const map = await resultMap(await withoutSensitive(deps, results), place, (districts) =>
    findDistrictCells(deps.db, districts),
  );
  const { mapFile } = deps;
  const ground = mapFile && map?.places.some((each) => mapFile.covers(each)) ? mapFilePath : undefined;
  return map && { ...map, ground, first: results[0]?.number };
}

/** A map is printed and left lying about, so it does not show where sensitive services are. */
async function withoutSensitive<T extends { service: { id: string } }>(
  { db }: FindDeps,
  results: readonly T[],
): Promise<T[]> {
  const sensitive = new Set(await listSensitiveServices(db));
  return results.filter(({ service }) => !sensitive.has(service.id));
}

type CheckedForm = {
  place: SearchedPlace | undefined;
  /** A postcode, or its first part, that this site does not know. */
  unknownPlace?: string | undefined;
  errors?: FormErrors;
};

const labels = { search: 'Search', postcode: 'Postcode', age: 'Age' };

async function checkForm(
  { db }: FindDeps,
  form: FindForm,
  exampleDistrict: string | undefined,
): Promise<CheckedForm> {
  const place = form.postcode === '' ? undefined : await locatePlace(db, form.postcode);
  const errors = findFormErrors(form);
  const unknownPlace = place ? undefined : (readPostcode(form.postcode)?.text ?? readDistrict(form.postcode));
  if (form.postcode !== '' && !place && !unknownPlace) {
    const example = exampleDistrict ? `, for example ${exampleDistrict}` : '';
    errors.push({ pointer: '/postcode', message: `Enter a full postcode or the first part${example}` });
  }
  if (errors.length === 0) return { place, unknownPlace };
  return { place, errors: toFormErrors(labels, new Problem(badRequest, undefined, { errors })) };
}

/** A place, and how it is searched near. */
type SearchNearPlace = NearbySearch & { postcode: SearchedPlace };

async function requestFor(
  deps: FindDeps,
  form: FindForm,
  nearby: SearchNearPlace | undefined,
  { exceptIds, checkedSince }: FindOptions,
): Promise<ListRequest> {
  const place = nearby?.postcode;
  const at = place && { latitude: place.latitude, longitude: place.longitude };
  const query = {
    ...listQuery(form, place !== undefined),
    ...at,
    full: true,
    facets: [...facetNames],
    page: form.page,
    per_page: resultsPerPage,
  };
  const request = await readListRequest(deps, query, '');
  return {
    ...request,
    filters: { ...request.filters, exceptIds, checkedSince },
    nearby,
    termWords: form.need,
  };
}

type ServiceInGroup = { covers: boolean | undefined; service: ListedService };

/** The results in parts: those nearby, those for which distance does not matter, and those that serve other areas. */
function groupsOf<T extends ServiceInGroup>(
  results: readonly T[],
  form: FindForm,
  sort: Sort,
  place: SearchedPlace | undefined,
): { id: string; heading: string | undefined; results: T[] }[] {
  if (!place) return [{ id: 'all', heading: undefined, results: [...results] }];
  const miles = milesOf(form);
  const max = sort === 'distance' && miles ? Number(miles) * metresPerMile : Infinity;
  const isNear = ({ service: { distance_metres: metres } }: T) =>
    max === Infinity || (metres ?? Infinity) <= max;
  const inside = results.filter(({ covers }) => covers !== false);
  const parts = [
    { id: 'nearby', heading: undefined, results: inside.filter(isNear) },
    {
      id: 'remote',
      heading: 'By phone, online or at home',
      results: inside.filter((each) => !isNear(each)),
    },
    {
      id: 'outside',
      heading: `For other areas, not ${place.text}`,
      results: results.filter(({ covers }) => covers === false),
    },
  ];
  return parts.filter((part) => part.results.length > 0);
}

/** How many results people are sure to see. */
const firstRead = 3;
/** How many services are enough for one line above them. */
const maxShownAbove = 3;

/**
 * The best of those that come to the person, for one line above the results: in the list they may stand far down, or after all
 * that have a distance. Only near a place, and only where nobody chose how services meet people. @param first results
 */
async function bestRemoteServices(
  deps: FindDeps,
  form: FindForm,
  nearby: SearchNearPlace | undefined,
  options: FindOptions,
  first: readonly ListedService[],
): Promise<
  { services: { id: string; name: string; path: string }[]; query: string; href: string } | undefined
> {
  if (!nearby || first.length === 0 || form.page > 1 || form.ways.length > 0) return undefined;
  const remote = { ...form, ways: remoteWays };
  const request = await requestFor(deps, remote, nearby, options);
  const { contents } = await searchServices(deps, {
    ...request,
    facets: [],
    perPage: firstRead + maxShownAbove,
  });
  const viewpoint = { now: localTime(deps.clock.now()), place: nearby.postcode };
  const services = (contents as ListedService[])
    .filter((service) => areaView(service, viewpoint)?.covers !== false)
    .filter(({ id }) => first.every((each) => each.id !== id))
    .slice(0, maxShownAbove)
    .map(({ id, name }) => ({ id, name, path: servicePath(id) }));
  return services.length > 0 ? { services, query: placeQuery(form), href: options.path(remote) } : undefined;
}

/** For a form with mistakes: the counts beside it, as if nothing had been chosen. */
async function facetsOfWholeLibrary(deps: FindDeps, { checkedSince }: FindOptions): Promise<Facets> {
  const request = await readListRequest(deps, { facets: [...facetNames], per_page: 1 }, '');
  const found = await searchServices(deps, { ...request, filters: { ...request.filters, checkedSince } });
  return found.facets!;
}

/** The names of the chosen terms. If few services have one, it is not among the counted ones. */
async function termNamesOf(
  { db }: FindDeps,
  { termIds }: FindForm,
  facets: Facets,
): Promise<Map<string, string>> {
  const counted = new Map(facets.taxonomy_term_id!.map(({ value, name }) => [value, name]));
  const others = termIds.some((id) => !counted.has(id)) ? await listUsedTerms(db) : [];
  return new Map([...others.map(({ id, name }): [string, string] => [id, name]), ...counted]);
}

/** Each takes a search. */
const maxFiltersTried = 8;

/** When nothing was found: how many services there would be without each of the filters. */
async function searchesWithoutOneFilter(
  deps: FindDeps,
  chips: readonly Chip[],
  nearby: SearchNearPlace | undefined,
  options: FindOptions,
) {
  const tried = await Promise.all(
    chips.slice(0, maxFiltersTried).map(async ({ text, without }) => {
      const request = await requestFor(deps, without, without.postcode === '' ? undefined : nearby, options);
      const { total } = await searchServices(deps, { ...request, facets: [], perPage: 1 });
      return { text, href: options.path(without), total, count: countInWords(total, 'service', 'services') };
    }),
  );
  return tried.filter(({ total }) => total > 0);
}

/** A service's page is opened with the postcode, to say how far it is; the rest of the search is not in its address. */
function placeQuery({ postcode }: FindForm): string {
  return postcode === '' ? '' : `?${new URLSearchParams({ postcode })}`;
}

import { type FormProblem, formProblem } from '../../platform/html/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { badRequest, Problem } from '../../platform/problem/index.ts';
import { localTime } from '../hours/local-time.ts';
import { findDistrict, locatePlace, type SearchedPlace } from '../postcodes/locate.ts';
import { readDistrict, readPostcode } from '../postcodes/postcode.ts';
import type { Facets } from '../search/filters.ts';
import { type ListRequest, listRequest } from '../search/list-query.ts';
import { searchServices } from '../search/search-services.ts';
import { listOpenToReferrals } from '../services/nobody-answers.ts';
import { listUsedTerms } from '../services/store.ts';
import { countInWords } from '../view/words.ts';
import { type Asked, complaints, findPath, listQuery, wantedTimes } from './asked.ts';
import { type Chip, chipsOf } from './chips.ts';
import { formChoices } from './form-choices.ts';
import { pagination, resultsPerPage } from './pagination.ts';
import { resultMap } from './result-map.ts';
import { type ListedService, resultView } from './result-view.ts';
import { sortLinks } from './sort-links.ts';

/** What the find page shows; `errors` where something that was typed cannot be, and then no results. */
export async function findServices(deps: Platform, asked: Asked) {
  const { place, errors } = await checkAsked(deps, asked);
  if (errors) return { asked, errors, choices: formChoices(asked, await anyFacets(deps)) };
  const { request, found } = await search(deps, asked, place);
  const termName = await termNameOf(deps, asked, found.facets!);
  const chips = chipsOf(asked, termName);
  const services = JSON.parse(`[${found.contents}]`) as ListedService[];
  const open = await listOpenToReferrals(deps.db, services, deps.settings.mode);
  const viewpoint = {
    now: localTime(deps.clock.now()),
    place,
    wanted: wantedTimes(asked),
    reviewDays: deps.settings.libraryReviewDays,
  };
  const query = placeQuery(asked);
  const results = services.map((service, index) => ({
    ...resultView(service, viewpoint),
    number: (asked.page - 1) * resultsPerPage + index + 1,
    query,
    accepts: open.has(service.id),
    service,
  }));
  return {
    asked,
    place,
    choices: formChoices(asked, found.facets!, termName),
    chips: chips.map(({ text, without }) => ({ text, href: findPath(without) })),
    count: countInWords(found.total, 'service', 'services'),
    total: found.total,
    searchedFor: found.searchedFor,
    results,
    pages: pagination(asked, found.total),
    sorts: sortLinks(asked, request.sort, place !== undefined),
    looser: found.total > 0 ? [] : await looserSearches(deps, chips, place),
    map: asked.map
      ? await resultMap(results, place, (district) => findDistrict(deps.db, district))
      : undefined,
    mapHref: findPath({ ...asked, map: !asked.map }, asked.page),
  };
}

type Checked = { place: SearchedPlace | undefined; errors?: FormProblem };

const labels = { search: 'Search', postcode: 'Postcode', age: 'Age' };

async function checkAsked({ db }: Platform, asked: Asked): Promise<Checked> {
  const place = asked.postcode === '' ? undefined : await locatePlace(db, asked.postcode);
  const errors = complaints(asked);
  if (asked.postcode !== '' && !place) {
    const text = readPostcode(asked.postcode)?.text ?? readDistrict(asked.postcode);
    const message = text
      ? `This site does not know where ${text} is. Check the spelling, or enter a postcode nearby`
      : 'Enter a postcode of this area, such as ZT1 3GH, or its first half';
    errors.push({ pointer: '/postcode', message });
  }
  if (errors.length === 0) return { place };
  return { place, errors: formProblem(labels, new Problem(badRequest, undefined, { errors })) };
}

async function search(deps: Platform, asked: Asked, place: SearchedPlace | undefined) {
  const request = await requestFor(deps, asked, place);
  return { request, found: await searchServices(deps.db, request) };
}

function requestFor(deps: Platform, asked: Asked, place: SearchedPlace | undefined): Promise<ListRequest> {
  const at = place && { latitude: place.latitude, longitude: place.longitude };
  const query = {
    ...listQuery(asked, place !== undefined),
    ...at,
    full: true,
    facets: ['taxonomy_term_id' as const, 'day' as const, 'capacity' as const],
    page: asked.page,
    per_page: resultsPerPage,
  };
  return listRequest(deps, query, '');
}

async function anyFacets(deps: Platform): Promise<Facets> {
  const facets = ['taxonomy_term_id' as const, 'day' as const, 'capacity' as const];
  const found = await searchServices(deps.db, await listRequest(deps, { facets, per_page: 1 }, ''));
  return found.facets!;
}

/** What the chosen term is called; one that few services have is not among those that are counted. */
async function termNameOf({ db }: Platform, { termId }: Asked, facets: Facets): Promise<string | undefined> {
  if (termId === '') return undefined;
  const counted = facets.taxonomy_term_id!.find(({ value }) => value === termId);
  return counted?.name ?? (await listUsedTerms(db)).find(({ id }) => id === termId)?.name;
}

/** Each costs a search. */
const mostLooser = 8;

/** Where nothing was found: how many services there would be without each thing that was asked for. */
async function looserSearches(deps: Platform, chips: readonly Chip[], place: SearchedPlace | undefined) {
  const tried = await Promise.all(
    chips.slice(0, mostLooser).map(async ({ text, without }) => {
      const from = without.postcode === '' ? undefined : place;
      const request = await requestFor(deps, without, from);
      const { total } = await searchServices(deps.db, { ...request, facets: [], perPage: 1 });
      return { text, href: findPath(without), total, count: countInWords(total, 'service', 'services') };
    }),
  );
  return tried.filter(({ total }) => total > 0);
}

/** What the page of a result is opened with: it says how far the service is. The rest of the search stays here. */
function placeQuery({ postcode }: Asked): string {
  return postcode === '' ? '' : `?${new URLSearchParams({ postcode })}`;
}

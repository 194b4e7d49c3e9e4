/*
 * The words of this file:
 * - service number: what this process calls a service, its index in every column. `service` is always such a number.
 * - place: one of the locations of a service. `at` is its index in the column `places`.
 * - candidates: the services that the words find, or all services, before the filters.
 * - chord: the straight line through the Earth, in metres. It grows with the distance, and costs less to work out. It is
 *   infinite if nobody knows where the place is.
 * - facet, choice: a filter whose values are counted beside the results; the same filter with the values that were chosen.
 * - key: what results are ordered by, the smallest first (`order.ts`). What goes into it is explained in `text-query.ts`.
 * - window, page: which results are wanted; the collector that keeps them (`order.ts`).
 * - outside: services that do not cover the postcode. They come after all others.
 */

import { surfaceMetres, toEarthPoint } from '../../library/index.ts';
import type { Facet, Facets, Selection } from '../query/criteria.ts';
import { integers } from './columns.ts';
import { countersFor, countsOf } from './counts.ts';
import { type Choice, chordTo, maxChord, nearestChords, placeFilter, serviceFilter } from './filter.ts';
import { type NearbyTests, nearbyTests } from './nearby-rules.ts';
import { type Page, pageByKey, pageInOrder, type Window } from './order.ts';
import { assumedMetres, distanceFactor, type Ranking, rankingOf } from './ranking.ts';
import {
  type IndexedService,
  numbersPerPlace,
  type PlaceIndex,
  placeOffsets,
  ServiceColumns,
  type ServiceNumber,
} from './service-columns.ts';
import { type TermRow, Terms } from './terms.ts';
import { type Matches, TextIndex } from './text-index.ts';
import type { TextQuery } from './text-query.ts';

/** The words to look for, or services that PostgreSQL has already ranked. */
export type SearchText = TextQuery | { ranked: readonly { id: string; rank: number }[] };

export type IndexQuery = {
  selection: Selection;
  /** Whether the results are services, or their locations one by one. */
  of: 'services' | 'locations';
  text?: SearchText | undefined;
  facets?: readonly Facet[];
  /** Counts only terms that have these words in their names. */
  termWords?: string | undefined;
  window: Window;
};

/** A service, or one of its locations, that a search found. */
export type Hit = {
  id: string;
  /** The location's number in the service's list. */
  placeNumber?: number;
  modifiedMs: number;
  /** The service as lists show it; null if none was stored. */
  summary: Readonly<Record<string, unknown>> | null;
  distanceMetres?: number;
  /** Whether at least one of the areas that the service covers has an outline. */
  hasOutlinedArea: boolean;
  /** Whether the service covers the postcode; undefined if nobody knows, or the search has none. */
  covers?: boolean | undefined;
};

export type SearchResult = {
  total: number;
  /** How many results there would be without the filters that can be chosen beside them. */
  totalBeforeChoices: number;
  hits: Hit[];
  facets: Facets | undefined;
};

/** The listed services in memory. PostgreSQL is the truth, and `followLibrary` keeps the index in step with it. */
export class SearchIndex {
  readonly #text = new TextIndex();
  readonly #services = new ServiceColumns();
  #terms = new Terms([], this.#services.termNumbers);
  readonly #numbers = new Map<string, ServiceNumber>();
  readonly #freeNumbers: ServiceNumber[] = [];
  readonly #byName: ServiceNumber[] = [];
  readonly #namePositions = integers();
  #positionsAreCurrent = true;

  get size(): number {
    return this.#byName.length;
  }

  put(row: IndexedService): void {
    this.remove(row.id);
    const service = this.#freeNumbers.pop() ?? this.#numbers.size;
    this.#numbers.set(row.id, service);
    this.#services.put(service, row);
    this.#text.put(service, row.search);
    this.#byName.splice(this.#indexByName(service), 0, service);
    this.#positionsAreCurrent = false;
  }

  remove(id: string): void {
    const service = this.#numbers.get(id);
    if (service === undefined) return;
    this.#byName.splice(this.#indexByName(service), 1);
    this.#positionsAreCurrent = false;
    this.#text.remove(service);
    this.#services.remove(service);
    this.#numbers.delete(id);
    this.#freeNumbers.push(service);
  }

  /** Replaces the terms of all taxonomies. */
  replaceTerms(rows: readonly TermRow[]): void {
    this.#terms = new Terms(rows, this.#services.termNumbers);
  }

  /** How many services have a word, by its stem. */
  countWith(stem: string): number {
    return this.#text.countWith(stem);
  }

  stemsStartingWith(beginning: string): string[] {
    return this.#text.stemsStartingWith(beginning);
  }

  search(query: IndexQuery): SearchResult {
    this.#updatePositions();
    return query.of === 'services' ? this.#searchServices(query) : this.#searchLocations(query);
  }

  /** One pass applies the filters, counts each facet as if its own filter were off, and keeps the best page. */
  #searchServices({ selection, text, facets = [], termWords, window }: IndexQuery): SearchResult {
    const services = this.#services;
    const { always, choices, isOff } = serviceFilter(services, this.#terms, selection);
    if (isOff && !text && facets.length === 0 && isSortedByName(selection)) return this.#everyService(window);
    const counters = countersFor(services, this.#terms, selection, facets, termWords);
    const candidates = this.#candidates(selection, text);
    const chords =
      selection.place && nearestChords(services, candidates.services, toEarthPoint(selection.place));
    const max = maxChord(selection);
    const nearby = nearbyTests(services, selection.nearby);
    const metres = chords?.map((chord, index) =>
      rankedMetres(candidates, nearby, candidates.services[index]!, chord),
    );
    const { atLeast, exactly } = keysFor(services, candidates, metres);
    const positions = this.#namePositions.values;
    const positionOf = (index: number) => positions[candidates.services[index]!]!;
    const newPage = (results: Window) =>
      pageFor(candidates, results, (one, other) => positionOf(one) - positionOf(other));
    const page = newPage(window);
    const outsidePage = newPage({ offset: 0, limit: window.offset + window.limit });
    let totalOutside = 0;
    let [total, totalBeforeChoices] = [0, 0];
    for (let index = 0; index < candidates.services.length; index += 1) {
      const service = candidates.services[index]!;
      if (chords && chords[index]! > max && !nearby.reaches(service)) continue;
      if (!always(service)) continue;
      totalBeforeChoices += 1;
      const leftOut = leftOutBy(choices, service);
      for (const counter of counters) {
        if (leftOut === undefined || leftOut === counter.facet) counter.add(service);
      }
      if (leftOut !== undefined) continue;
      total += 1;
      const isOutside = nearby.covers(service) === false;
      if (isOutside) totalOutside += 1;
      const itsPage = isOutside ? outsidePage : page;
      if (atLeast[index]! <= itsPage.maxKey) itsPage.add(index, exactly(index));
    }
    const last = remainderOfPage(outsidePage.items(), window, total - totalOutside);
    const hits = [...page.items(), ...last].map((index) => {
      const service = candidates.services[index]!;
      return { ...hitOf(services, service, chords?.[index]), covers: nearby.covers(service) };
    });
    return { total, totalBeforeChoices, hits, facets: counters.length > 0 ? countsOf(counters) : undefined };
  }

  /** A page of all services. Clients that copy the library ask for every page, and counting all services takes longer than the page. */
  #everyService({ offset, limit }: Window): SearchResult {
    const page = this.#byName.slice(offset, offset + limit);
    const hits = page.map((service) => ({ ...hitOf(this.#services, service), covers: undefined }));
    return { total: this.size, totalBeforeChoices: this.size, hits, facets: undefined };
  }

  #searchLocations({ selection, text, window }: IndexQuery): SearchResult {
    const services = this.#services;
    const { places } = services;
    const { ofService, ofPlace } = placeFilter(services, this.#terms, selection);
    const candidates = this.#candidates(selection, text);
    const from = selection.place && toEarthPoint(selection.place);
    const chordOfPlace = (at: PlaceIndex) => (from ? chordTo(services, from, at) : Infinity);
    const nearby = nearbyTests(services, selection.nearby);
    const { exactly } = keysFor(services, candidates, undefined);
    const positions = this.#namePositions.values;
    const serviceOf = (at: PlaceIndex) => places.values[at + placeOffsets.service]!;
    const page = pageFor(
      candidates,
      window,
      (one, other) => positions[serviceOf(one)]! - positions[serviceOf(other)]! || one - other,
    );
    let total = 0;
    for (let index = 0; index < candidates.services.length; index += 1) {
      const service = candidates.services[index]!;
      if (!ofService(service)) continue;
      const end = places.ends.values[service]!;
      for (let at = places.starts.values[service]!; at < end; at += numbersPerPlace) {
        if (!ofPlace(at)) continue;
        total += 1;
        const metres = rankedMetres(candidates, nearby, service, chordOfPlace(at));
        page.add(at, keyOfPlace(candidates, exactly(index), from && metres));
      }
    }
    const hits = page.items().map((at) => ({
      ...hitOf(services, serviceOf(at), chordOfPlace(at)),
      placeNumber: places.values[at + placeOffsets.number]!,
    }));
    return { total, totalBeforeChoices: total, hits, facets: undefined };
  }

  #candidates({ sort, place }: Selection, text: SearchText | undefined): Candidates {
    if (!text) return { services: this.#byName, ranking: undefined, sort, isNearestBest: false };
    if ('ranked' in text) {
      const ranked = text.ranked.flatMap(({ id, rank }) => {
        const service = this.#numbers.get(id);
        return service === undefined ? [] : [{ service, rank }];
      });
      const ranks = ranked.map(({ rank }) => rank);
      const ranking = { atMost: ranks, exactly: (index: number) => ranks[index]! };
      return { services: ranked.map(({ service }) => service), ranking, sort, isNearestBest: false };
    }
    const matches: Matches = this.#text.match(text);
    const ranking = rankingOf(this.#services, this.#terms, matches, text);
    // If very many services match, words cannot tell them apart, so the nearest come first.
    const isNearestBest = text.isBroad && place !== undefined && sort === 'relevance';
    return { services: matches.services, ranking, sort, isNearestBest };
  }

  /** The index of a service in the order of names, or where to put it. The index is filled in that order, so this is mostly the end. */
  #indexByName(service: ServiceNumber): number {
    const { names, ids } = this.#services;
    const isBefore = (other: ServiceNumber) =>
      names[other] === names[service] ? ids[other]! < ids[service]! : names[other]! < names[service]!;
    let [low, high] = [0, this.#byName.length];
    if (high > 0 && isBefore(this.#byName[high - 1]!)) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#byName[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #updatePositions(): void {
    if (this.#positionsAreCurrent) return;
    for (const [position, service] of this.#byName.entries()) this.#namePositions.set(service, position);
    this.#positionsAreCurrent = true;
  }
}

/** Whether results without words are sorted by name. With a place or a postcode, distance and coverage decide. */
function isSortedByName({ sort, place, nearby }: Selection): boolean {
  return !place && !nearby && (sort === 'name' || sort === 'relevance');
}

/** The facet whose filter alone leaves a service out, or `several`. */
function leftOutBy(choices: readonly Choice[], service: ServiceNumber): Facet | 'several' | undefined {
  let leftOut: Facet | 'several' | undefined;
  for (const { facet, test } of choices) {
    if (test(service)) continue;
    if (leftOut !== undefined) return 'several';
    leftOut = facet;
  }
  return leftOut;
}

/** The services outside the area that still fit on the page. @param before how many results come before them */
function remainderOfPage(
  items: readonly number[],
  { offset, limit }: Window,
  before: number,
): readonly number[] {
  return items.slice(Math.max(0, offset - before), Math.max(0, offset + limit - before));
}

/** The services that may match, and how they rank if there are words. */
type Candidates = {
  services: readonly ServiceNumber[];
  ranking: Ranking | undefined;
  sort: Selection['sort'];
  isNearestBest: boolean;
};

/**
 * The metres by which a service is ranked:
 * - by distance, only measured ones count;
 * - by relevance, a service that comes to the person counts as if it were here, and stands where its words put it;
 * - where the nearest are best, that service would stand before all, so it is put at 3 km.
 * @param chord to the service, or to one of its places
 */
function rankedMetres(
  { sort, isNearestBest }: Candidates,
  { comesToPerson }: NearbyTests,
  service: ServiceNumber,
  chord: number,
): number {
  if (sort !== 'relevance') return chord;
  const isPositionKnown = chord !== Infinity;
  if (comesToPerson(service, { isPositionKnown })) return isNearestBest ? assumedMetres : 0;
  return !isPositionKnown && !isNearestBest ? assumedMetres : chord;
}

/**
 * What candidates are sorted by, the smallest first. `atLeast` is a lower bound that costs little. The exact key reads the
 * name, so it is worked out only for candidates that may reach the page.
 */
type Keys = { atLeast: ArrayLike<number>; exactly(index: number): number };

/** @param metres how far away each candidate counts as */
function keysFor(
  { medianDays }: ServiceColumns,
  { services, ranking, sort, isNearestBest }: Candidates,
  metres: Float64Array | undefined,
): Keys {
  if (sort === 'relevance' && ranking && !isNearestBest) {
    const atLeast = new Float64Array(services.length);
    for (let index = 0; index < atLeast.length; index += 1) {
      atLeast[index] = -ranking.atMost[index]! * (metres ? distanceFactor(metres[index]!) : 1);
    }
    const exactly = (index: number) =>
      -ranking.exactly(index) * (metres ? distanceFactor(metres[index]!) : 1);
    return { atLeast, exactly };
  }
  const keys =
    (sort === 'distance' || isNearestBest) && metres
      ? metres
      : sort === 'responsiveness'
        ? Float64Array.from(services, (service) => medianDays.values[service]!)
        : new Float64Array(services.length);
  return { atLeast: keys, exactly: (index) => keys[index]! };
}

/**
 * @param key the key of the service, without its distance
 * @param metres how far away the place counts as; undefined if the search has no place to measure from
 */
function keyOfPlace(
  { ranking, sort, isNearestBest }: Candidates,
  key: number,
  metres: number | undefined,
): number {
  if (sort === 'distance' || isNearestBest) return metres ?? Infinity;
  return sort === 'relevance' && ranking && metres !== undefined ? key * distanceFactor(metres) : key;
}

function pageFor(
  { ranking, sort }: Candidates,
  window: Window,
  compare: (one: number, other: number) => number,
): Page {
  const isInOrder = !ranking && (sort === 'name' || sort === 'relevance');
  return isInOrder ? pageInOrder(window) : pageByKey(window, compare);
}

function hitOf(services: ServiceColumns, service: ServiceNumber, chord = Infinity): Hit {
  return {
    id: services.ids[service]!,
    modifiedMs: services.modifiedMs.values[service]!,
    summary: services.summaries[service]!,
    hasOutlinedArea: services.hasOutlinedArea.values[service] === 1,
    ...(chord !== Infinity && { distanceMetres: Math.round(surfaceMetres(chord)) }),
  };
}

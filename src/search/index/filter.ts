import {
  chordLength,
  dayCodes,
  type EarthPoint,
  features,
  minutesPerDay,
  occursOn,
  type Range,
  toEarthPoint,
  ways,
  weekRanges,
} from '../../library/index.ts';
import { dayBefore } from '../../platform/clock/index.ts';
import type { Criteria, Facet, Filters, WantedHours } from '../query/criteria.ts';
import {
  availabilityNumber,
  bitsOf,
  dayMaskOf,
  deliveryModeNumber,
  numbersPerPlace,
  type PlaceIndex,
  placeOffsets,
  type ReadHours,
  rangesOverlap,
  type ServiceColumns,
  type ServiceNumber,
} from './service-columns.ts';
import type { Terms } from './terms.ts';

/** Whether a service fits. */
type ServiceTest = (service: ServiceNumber) => boolean;
/** Whether a place of a service fits. */
type PlaceTest = (at: PlaceIndex) => boolean;
type Test = ServiceTest | PlaceTest;

/**
 * The filters of a search. `choices` are those whose values are counted beside the results, because each count leaves out its
 * own filter; `always` has all others. `isOff` says that every service passes.
 */
export type Filter = { always: ServiceTest; choices: readonly Choice[]; isOff: boolean };
export type Choice = { facet: Facet; test: ServiceTest };

/** The tests that a service must pass. */
export function serviceFilter(services: ServiceColumns, terms: Terms, criteria: Criteria): Filter {
  const { filters, today } = criteria;
  const { openAt, hours } = filters;
  const always = plainTests(services, terms, filters);
  if (openAt) always.push(serviceHoursTest(services, openAtTest(services, openAt)));
  const choices = choiceTests(services, terms, filters);
  if (hours)
    choices.push({ facet: 'day', test: serviceHoursTest(services, openTest(services, hours, today)) });
  return { always: allOf(always), choices, isOff: always.length === 0 && choices.length === 0 };
}

/** The tests that a service, and then each of its places, must pass. */
export function placeFilter(
  services: ServiceColumns,
  terms: Terms,
  criteria: Criteria,
): { ofService: ServiceTest; ofPlace: PlaceTest } {
  const { filters, place, today } = criteria;
  const { openAt, hours, proximity } = filters;
  const choices = choiceTests(services, terms, filters).map(({ test }) => test);
  const ofService = [...plainTests(services, terms, filters), ...choices];
  const ofPlace: PlaceTest[] = [(at) => services.places.values[at + placeOffsets.isListed] === 1];
  if (place && proximity !== undefined) {
    const [from, max] = [toEarthPoint(place), maxChord(criteria)];
    ofPlace.push((at) => chordTo(services, from, at) <= max);
  }
  if (hours) ofPlace.push(placeHoursTest(services, openTest(services, hours, today)));
  if (openAt) ofPlace.push(placeHoursTest(services, openAtTest(services, openAt)));
  return { ofService: allOf(ofService), ofPlace: allOf(ofPlace) };
}

function allOf(tests: readonly Test[]): Test {
  const [first, second] = tests;
  if (!first) return () => true;
  if (!second) return first;
  return (number) => tests.every((test) => test(number));
}

/** The filters whose values are counted beside the results, except for the days, which a place has too. */
function choiceTests(services: ServiceColumns, terms: Terms, filters: Filters): Choice[] {
  const { termIds, ways: wantedWays, languages, availabilities } = filters;
  const choices: Choice[] = [];
  if (termIds) {
    choices.push({ facet: 'taxonomy_term_id', test: termTest(services, terms.withDescendants(termIds)) });
  }
  if (wantedWays) choices.push({ facet: 'way', test: wayTest(services, wantedWays) });
  if (languages) choices.push({ facet: 'language', test: languageTest(services, languages) });
  if (availabilities) choices.push({ facet: 'capacity', test: availabilityTest(services, availabilities) });
  return choices;
}

/** The filters that depend on the service alone, not on a place or a time. */
function plainTests(services: ServiceColumns, terms: Terms, filters: Filters): ServiceTest[] {
  const {
    taxonomyId,
    organizationId,
    modifiedAfter,
    checkedSince,
    minimumAge,
    maximumAge,
    accepting,
    staffedOrganizationIds,
  } = filters;
  const { features: wantedFeatures, exceptIds } = filters;
  const tests: ServiceTest[] = [];
  if (exceptIds) {
    const unwanted = new Set(exceptIds);
    tests.push((service) => !unwanted.has(services.ids[service]!));
  }
  if (organizationId !== undefined) {
    const wanted = services.organizations.find(organizationId);
    tests.push((service) => services.organization.values[service] === wanted);
  }
  if (taxonomyId !== undefined) tests.push(termTest(services, terms.idsOfTaxonomy(taxonomyId)));
  if (modifiedAfter) {
    const from = modifiedAfter.getTime();
    tests.push((service) => services.modifiedMs.values[service]! >= from);
  }
  if (checkedSince) {
    const from = checkedSince.getTime();
    tests.push((service) => services.checkedMs.values[service]! >= from);
  }
  if (minimumAge !== undefined) tests.push((service) => services.maximumAge.values[service]! >= minimumAge);
  if (maximumAge !== undefined) tests.push((service) => services.minimumAge.values[service]! <= maximumAge);
  if (wantedFeatures) {
    const bits = bitsOf(features, wantedFeatures);
    tests.push((service) => (services.features.values[service]! & bits) === bits);
  }
  if (accepting !== undefined) {
    const full = availabilityNumber('no-capacity');
    const canReceive = staffedOrganizationIds ? receiverTest(services, staffedOrganizationIds) : () => true;
    tests.push((service) => {
      const isOpen =
        services.takesNoReferrals.values[service] === 0 && services.availability.values[service] !== full;
      return (isOpen && canReceive(service)) === accepting;
    });
  }
  return tests;
}

/** Whether somebody can receive a service’s referrals: outside this site, or one of these organisations in its inbox here. */
function receiverTest(services: ServiceColumns, staffedOrganizationIds: readonly string[]): ServiceTest {
  const [external, inbox] = [deliveryModeNumber('external'), deliveryModeNumber('inbox')];
  const readers = new Set(staffedOrganizationIds.flatMap((id) => services.organizations.find(id) ?? []));
  return (service) => {
    const mode = services.deliveryMode.values[service];
    return mode === external || (mode === inbox && readers.has(services.organization.values[service]!));
  };
}

function availabilityTest({ availability }: ServiceColumns, statuses: readonly string[]): ServiceTest {
  const wanted = statuses.map(availabilityNumber);
  return (service) => wanted.includes(availability.values[service]!);
}

function wayTest(services: ServiceColumns, wanted: readonly string[]): ServiceTest {
  const bits = bitsOf(ways, wanted);
  return (service) => (services.ways.values[service]! & bits) !== 0;
}

function languageTest({ languages, languageNumbers }: ServiceColumns, names: readonly string[]): ServiceTest {
  const wanted = new Set(names.flatMap((name) => languageNumbers.find(name) ?? []));
  return (service) => languages.of(service).some((each) => wanted.has(each));
}

function termTest({ terms, termNumbers }: ServiceColumns, ids: Iterable<string>): ServiceTest {
  const isWanted = new Uint8Array(termNumbers.size);
  for (const id of ids) isWanted[termNumbers.find(id) ?? 0] = 1;
  return (service) => {
    for (let at = terms.starts.values[service]!; at < terms.ends.values[service]!; at += 1) {
      if (isWanted[terms.values[at]!] === 1) return true;
    }
    return false;
  };
}

/** PostgreSQL and V8 may differ in the last digit of a cosine. */
const toleranceMetres = 0.001;

/** The longest straight line through the Earth to a place that is near enough. */
export function maxChord({ place, filters: { proximity } }: Criteria): number {
  return place && proximity !== undefined ? chordLength(proximity) + toleranceMetres : Infinity;
}

/** The straight line through the Earth to a place; infinite if its position is not known. */
export function chordTo(
  { places: { values } }: ServiceColumns,
  { x, y, z }: EarthPoint,
  at: PlaceIndex,
): number {
  const dx = values[at + placeOffsets.x]! - x;
  const dy = values[at + placeOffsets.y]! - y;
  const dz = values[at + placeOffsets.z]! - z;
  const chord = Math.sqrt(dx * dx + dy * dy + dz * dz);
  return Number.isNaN(chord) ? Infinity : chord;
}

/** The straight line to the nearest place of each of these services. */
export function nearestChords(
  services: ServiceColumns,
  matches: readonly ServiceNumber[],
  from: EarthPoint,
): Float64Array {
  const [starts, ends] = [services.places.starts.values, services.places.ends.values];
  const chords = new Float64Array(matches.length).fill(Infinity);
  for (let index = 0; index < matches.length; index += 1) {
    const service = matches[index]!;
    for (let at = starts[service]!; at < ends[service]!; at += numbersPerPlace) {
      const chord = chordTo(services, from, at);
      if (chord < chords[index]!) chords[index] = chord;
    }
  }
  return chords;
}

/** Whether something is open at the wanted time, by the number of its week and its other hours. */
type HoursTest = (week: number, otherHours: () => readonly ReadHours[]) => boolean;

function serviceHoursTest(services: ServiceColumns, test: HoursTest): ServiceTest {
  const { week } = services;
  return (service) => test(week.values[service]!, () => otherHoursOf(services, service, 0));
}

function placeHoursTest(services: ServiceColumns, test: HoursTest): PlaceTest {
  const { places } = services;
  return (at) => {
    const [service, number] = [
      places.values[at + placeOffsets.service]!,
      places.values[at + placeOffsets.number]!,
    ];
    return test(places.values[at + placeOffsets.week]!, () => otherHoursOf(services, service, number));
  };
}

/** The hours of a place that no week shows; those of the service itself have the place number 0. */
export function otherHoursOf(
  { otherHours }: ServiceColumns,
  service: ServiceNumber,
  placeNumber: number,
): readonly ReadHours[] {
  return (otherHours.get(service) ?? []).filter(({ number }) => number === placeNumber);
}

/** Open at a wanted time on a wanted day, in some week. */
function openTest(services: ServiceColumns, wanted: WantedHours, today: string): HoursTest {
  const findOpenDays = openDaysFinder(services, wanted, today);
  const mask = wanted.days.reduce((all, day) => all | (1 << day), 0) || 0b1111111;
  return (week, otherHours) => (findOpenDays(week, otherHours) & mask) !== 0;
}

/** @returns the days of the week on which something is open at a wanted time, a bit for each day */
type FindOpenDays = (week: number, otherHours: () => readonly ReadHours[]) => number;

export function openDaysFinder(
  services: ServiceColumns,
  { from, to }: Omit<WantedHours, 'days'>,
  today: string,
): FindOpenDays {
  const ranges = dayCodes.map((_, day) => weekRanges(day, from ?? 0, to ?? minutesPerDay));
  // A day without times does not say whether it is open at a wanted one.
  const isTimed = from !== undefined || to !== undefined;
  const daysOf = (open: readonly Range[]) => dayMaskOf(open, ranges);
  const daysOfWeek = isTimed
    ? memoizeByWeek(services, daysOf)
    : (week: number) => services.openDayMasks[week]!;
  const hasOthers = services.otherHours.size > 0;
  return (week, otherHours) => {
    let days = daysOfWeek(week);
    if (!hasOthers) return days;
    for (const { opens, valid_to, ranges: open } of otherHours()) {
      if ((!isTimed || opens !== null) && (valid_to === null || valid_to >= today)) days |= daysOf(open);
    }
    return days;
  };
}

function openAtTest(services: ServiceColumns, { day, minute }: NonNullable<Filters['openAt']>): HoursTest {
  const now = day.weekday * minutesPerDay + minute;
  const yesterday = dayBefore(day);
  const isOpenInWeek = memoizeByWeek(services, (open) => Number(rangesOverlap(open, [[now, now + 1]])));
  const isOpenNow = (hours: ReadHours) => {
    const { opens, closes } = hours;
    if (opens === null || closes === null) return false;
    const isToday = opens <= minute && closes > minute && occursOn(hours, day);
    return isToday || (closes > minute + minutesPerDay && occursOn(hours, yesterday));
  };
  return (week, otherHours) => isOpenInWeek(week) === 1 || otherHours().some(isOpenNow);
}

/** Works something out once for each week, however many services share it. */
function memoizeByWeek(
  { weeks }: ServiceColumns,
  work: (open: readonly Range[]) => number,
): (week: number) => number {
  const known = new Int16Array(weeks.length).fill(-1);
  return (week) => {
    if (known[week] === -1) known[week] = work(weeks[week]!);
    return known[week]!;
  };
}

import {
  availabilities,
  dayCodes,
  type Feature,
  features,
  maxAge,
  metresPerMile,
  minuteOf,
  type WantedTimes,
  type Way,
  ways,
} from '../../library/index.ts';
import type { FieldError } from '../../platform/problem/index.ts';
import { maxSearchLength, sorts } from '../query/parameters.ts';
import { readSearch } from '../query/read-request.ts';

/** The fields of the find page's form. */
export type FindForm = {
  search: string;
  /** As it was typed. */
  postcode: string;
  /** How far away a service may be, in miles. With a postcode the default is {@link defaultMiles}. */
  within: DistanceMiles | 'any' | undefined;
  termIds: readonly string[];
  /** What is looked for among the needs, as it was typed. It is no filter, so links do not have it. */
  need: string;
  ways: readonly Way[];
  features: readonly Feature[];
  languages: readonly string[];
  days: readonly (typeof dayCodes)[number][];
  time: PartOfDay | undefined;
  availabilities: readonly (typeof availabilities)[number][];
  accepting: boolean;
  /** As it was typed. */
  age: string;
  sort: (typeof sorts)[number] | undefined;
  map: boolean;
  /** The services ticked for comparing, which stay ticked from page to page. */
  ticked: readonly string[];
  page: number;
};

export const distancesMiles = ['1', '2', '5', '10', '20'] as const;
/** Most people travel at most this far. */
export const defaultMiles = '10';
type DistanceMiles = (typeof distancesMiles)[number];

/** The clock times of each part of the day. */
const partsOfDay = {
  morning: { start_time: '00:00', end_time: '12:00' },
  afternoon: { start_time: '12:00', end_time: '17:00' },
  evening: { start_time: '17:00', end_time: '24:00' },
} as const;
export type PartOfDay = keyof typeof partsOfDay;

const maxTextLength = 2 * maxSearchLength;

/** Reads the form's query. A value that nobody typed and that makes no sense is ignored, so that links keep working. */
export function readForm(query: Readonly<Record<string, unknown>>): FindForm {
  const search = oneText(query.search);
  return {
    // Text that will be refused stays in the field, so that it can be corrected.
    search: isSearchable(search) ? (readSearch(search) ?? '') : search.slice(0, maxTextLength),
    postcode: oneText(query.postcode).slice(0, 50),
    within: oneOf([...distancesMiles, 'any'], query.within),
    termIds: readTexts(query.taxonomy_term_id),
    need: oneText(query.need).slice(0, 100),
    ways: manyOf(ways, query.way),
    features: manyOf(features, query.feature),
    languages: readTexts(query.language),
    days: manyOf(dayCodes, query.day),
    time: oneOf(Object.keys(partsOfDay) as PartOfDay[], query.time),
    availabilities: manyOf(availabilities, query.capacity),
    accepting: oneText(query.accepting) === 'true',
    age: oneText(query.age).slice(0, 10),
    sort: oneOf(sorts, query.sort),
    map: oneText(query.map) === 'true',
    ticked: readTexts(query.id),
    page: /^[1-9]\d{0,6}$/.test(oneText(query.page)) ? Number(oneText(query.page)) : 1,
  };
}

/** What is wrong with the typed fields. */
export function findFormErrors({ search, age }: FindForm): FieldError[] {
  const tooLong = search.length > maxSearchLength;
  const about: Record<string, string | false> = {
    search:
      !isSearchable(search) &&
      (tooLong
        ? `Search for ${maxSearchLength} characters or fewer`
        : 'Search for words, without special characters'),
    age: age !== '' && !isAge(age) && 'Enter the age in years, such as 70',
  };
  return Object.entries(about).flatMap(([name, message]) =>
    message === false ? [] : [{ pointer: `/${name}`, message }],
  );
}

function isAge(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) <= maxAge;
}

/** The address of a page of results for a form. */
export type FormPath = (form: FindForm, page?: number) => string;

/** With only the fields that are filled in. */
export const findPath: FormPath = pathFrom('/services');

/** The addresses of results that another page shows. @param kept what each of its addresses has besides the form */
export function pathFrom(base: string, kept: Readonly<Record<string, string>> = {}): FormPath {
  return (form, page = 1) => {
    const query = new URLSearchParams([...Object.entries(kept), ...formFields({ ...form, page })]).toString();
    return query === '' ? base : `${base}?${query}`;
  };
}

/** The results for the person of a referral that a service could not help. They are not filled in again with what it says of the person. */
export function reroutePathFrom(referralId: string): FormPath {
  return pathFrom(`/referrals/${referralId}/reroute`, { asked: 'yes' });
}

/** The filled-in fields in the order of the form. */
export function formFields(form: FindForm): [string, string][] {
  const given: [string, string][] = [
    ['search', form.search],
    ['postcode', form.postcode],
    ['within', form.postcode === '' ? '' : (form.within ?? '')],
    ...form.termIds.map((id): [string, string] => ['taxonomy_term_id', id]),
    ...form.ways.map((way): [string, string] => ['way', way]),
    ...form.features.map((feature): [string, string] => ['feature', feature]),
    ...form.languages.map((language): [string, string] => ['language', language]),
    ...form.days.map((day): [string, string] => ['day', day]),
    ['time', form.time ?? ''],
    ...form.availabilities.map((each): [string, string] => ['capacity', each]),
    ['accepting', form.accepting ? 'true' : ''],
    ['age', form.age],
    ['sort', form.sort ?? ''],
    ['map', form.map ? 'true' : ''],
    ...form.ticked.map((id): [string, string] => ['id', id]),
    ['page', form.page > 1 ? String(form.page) : ''],
  ];
  return given.filter(([, value]) => value !== '');
}

/** The form as parameters of the API, without the place, which is looked up separately. */
export function listQuery(form: FindForm, hasPlace: boolean) {
  const { search, days, time, age } = form;
  const within = milesOf(form);
  const sort = form.sort === 'distance' && !hasPlace ? undefined : form.sort;
  return {
    search,
    taxonomy_term_id: [...form.termIds],
    way: [...form.ways],
    feature: [...form.features],
    language: [...form.languages],
    day: [...days],
    ...(time && partsOfDay[time]),
    capacity: [...form.availabilities],
    ...(form.accepting && { accepting: true }),
    ...(age !== '' && { minimum_age: Number(age), maximum_age: Number(age) }),
    ...(within && hasPlace && { proximity: Math.round(Number(within) * metresPerMile) }),
    ...(sort && { sort }),
  };
}

/** How far away a service may be; undefined for any distance. */
export function milesOf({ within = defaultMiles, postcode }: FindForm): DistanceMiles | undefined {
  return within === 'any' || postcode === '' ? undefined : within;
}

/** When the person has time. */
export function wantedTimes({ days, time }: FindForm): WantedTimes {
  const weekdays = days.map((day) => dayCodes.indexOf(day));
  if (!time) return { weekdays };
  const { start_time, end_time } = partsOfDay[time];
  return { weekdays, from: minuteOf(start_time)!, to: minuteOf(end_time)! };
}

function isSearchable(search: string): boolean {
  return search.length <= maxSearchLength && !search.includes('\0');
}

const maxTexts = 20;

/** Reads up to 20 ids or names; anything longer than 100 characters is left out. */
function readTexts(value: unknown): string[] {
  const texts = [value].flat().filter((each) => typeof each === 'string');
  const given = texts.map((each) => each.trim()).filter((each) => each !== '' && each.length <= 100);
  return [...new Set(given)].filter((each) => !each.includes('\0')).slice(0, maxTexts);
}

function oneText(value: unknown): string {
  const [first] = [value].flat();
  return typeof first === 'string' ? first.trim() : '';
}

function oneOf<T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((each) => each === oneText(value));
}

function manyOf<T extends string>(known: readonly T[], value: unknown): T[] {
  const given = [value].flat();
  return known.filter((each) => given.includes(each));
}

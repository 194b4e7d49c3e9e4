import type { FieldError } from '../../platform/problem/index.ts';
import type { WantedTimes } from '../hours/next-opening.ts';
import { dayCodes, minuteOf } from '../hours/week.ts';
import { capacities, sorts } from '../search/filter-parameters.ts';
import { longestSearch } from '../search/list-parameters.ts';
import { searchText } from '../search/text-query.ts';
import { metresAMile } from '../view/distance.ts';

/** What the form on the find page was sent with. */
export type Asked = {
  search: string;
  /** As it was typed; empty where none was. */
  postcode: string;
  /** How far it may be, in miles; none is any distance. */
  within: Within | undefined;
  termId: string;
  days: readonly (typeof dayCodes)[number][];
  time: PartOfDay | undefined;
  capacities: readonly (typeof capacities)[number][];
  accepting: boolean;
  /** As it was typed. */
  age: string;
  sort: (typeof sorts)[number] | undefined;
  map: boolean;
  page: number;
};

export const distancesMiles = ['1', '2', '5', '10', '20'] as const;
type Within = (typeof distancesMiles)[number];

/** Clock times between which a part of the day lies. */
const partsOfDay = {
  morning: { start_time: '00:00', end_time: '12:00' },
  afternoon: { start_time: '12:00', end_time: '17:00' },
  evening: { start_time: '17:00', end_time: '24:00' },
} as const;
export type PartOfDay = keyof typeof partsOfDay;

const longestText = 2 * longestSearch;

/** Reads the form's query. What makes no sense and was not typed counts as not there: a link is never broken by it. */
export function readAsked(query: Readonly<Record<string, unknown>>): Asked {
  const search = oneText(query.search);
  return {
    // What will be refused stays in the field, to be mended.
    search: isSearchable(search) ? (searchText(search) ?? '') : search.slice(0, longestText),
    postcode: oneText(query.postcode).slice(0, 50),
    within: oneOf(distancesMiles, query.within),
    termId: readId(query.taxonomy_term_id),
    days: manyOf(dayCodes, query.day),
    time: oneOf(Object.keys(partsOfDay) as PartOfDay[], query.time),
    capacities: manyOf(capacities, query.capacity),
    accepting: oneText(query.accepting) === 'true',
    age: oneText(query.age).slice(0, 10),
    sort: oneOf(sorts, query.sort),
    map: oneText(query.map) === 'true',
    page: /^[1-9]\d{0,6}$/.test(oneText(query.page)) ? Number(oneText(query.page)) : 1,
  };
}

/** What was typed and cannot be, by its field. */
export function complaints({ search, age }: Asked): FieldError[] {
  const tooLong = search.length > longestSearch;
  const about: Record<string, string | false> = {
    search:
      !isSearchable(search) &&
      (tooLong
        ? `Search for ${longestSearch} characters or fewer`
        : 'Search for words, without special characters'),
    age: age !== '' && !/^(\d{1,2}|1[0-4]\d|150)$/.test(age) && 'Enter the age in years, such as 70',
  };
  return Object.entries(about).flatMap(([name, message]) =>
    message === false ? [] : [{ pointer: `/${name}`, message }],
  );
}

/** The page of these results, with nothing in its address that was not asked for. */
export function findPath(asked: Asked, page = 1): string {
  const text = askedQuery({ ...asked, page }).toString();
  return text === '' ? '/services' : `/services?${text}`;
}

/** The fields in the order of the form. */
function askedQuery(asked: Asked): URLSearchParams {
  const given: [string, string][] = [
    ['search', asked.search],
    ['postcode', asked.postcode],
    ['within', asked.within ?? ''],
    ['taxonomy_term_id', asked.termId],
    ...asked.days.map((day): [string, string] => ['day', day]),
    ['time', asked.time ?? ''],
    ...asked.capacities.map((each): [string, string] => ['capacity', each]),
    ['accepting', asked.accepting ? 'true' : ''],
    ['age', asked.age],
    ['sort', asked.sort ?? ''],
    ['map', asked.map ? 'true' : ''],
    ['page', asked.page > 1 ? String(asked.page) : ''],
  ];
  return new URLSearchParams(given.filter(([, value]) => value !== ''));
}

/** The same in the words of the API, for whom nothing of it is wrong; the place is found apart. */
export function listQuery(asked: Asked, hasPlace: boolean) {
  const { search, within, termId, days, time, age } = asked;
  const sort = asked.sort === 'distance' && !hasPlace ? undefined : asked.sort;
  return {
    search,
    taxonomy_term_id: termId === '' ? [] : [termId],
    day: [...days],
    ...(time && partsOfDay[time]),
    capacity: [...asked.capacities],
    ...(asked.accepting && { accepting: true }),
    ...(age !== '' && { minimum_age: Number(age), maximum_age: Number(age) }),
    ...(within && hasPlace && { proximity: Math.round(Number(within) * metresAMile) }),
    ...(sort && { sort }),
  };
}

/** When the person can go. */
export function wantedTimes({ days, time }: Asked): WantedTimes {
  const weekdays = days.map((day) => dayCodes.indexOf(day));
  if (!time) return { weekdays };
  const { start_time, end_time } = partsOfDay[time];
  return { weekdays, from: minuteOf(start_time)!, to: minuteOf(end_time)! };
}

function isSearchable(search: string): boolean {
  return search.length <= longestSearch && !search.includes('\0');
}

function readId(value: unknown): string {
  const id = oneText(value);
  return id.includes('\0') || id.length > 100 ? '' : id;
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

// The links beside results: the filters in use, the orders to choose from, and the pages.

import { availabilityNames, dayCodes, dayNames, featureNames, wayNames } from '../../library/index.ts';
import type { Sort } from '../query/criteria.ts';
import { type FindForm, type FormPath, milesOf } from './find-form.ts';

export const unknownNeed = 'A need that is not in the library';

/** A filter in use, and the form without it. `isInSummary`: the folded form of a phone says it, too. */
export type Chip = { text: string; without: FindForm; isInSummary?: true };

/** All filters in use; without a known place, distance is none. @param termNames the names of the chosen terms, by their ids */
export function chipsOf(form: FindForm, termNames: ReadonlyMap<string, string>, hasPlace = true): Chip[] {
  const { search, postcode, termIds, days, time, accepting, age } = form;
  const within = hasPlace ? milesOf(form) : undefined;
  const chip = (text: string, change: Partial<FindForm>): Chip => ({
    text,
    without: { ...form, page: 1, ...change },
  });
  const listWithout = <T>(list: readonly T[], one: T) => list.filter((each) => each !== one);
  const miles = within === '1' ? '1 mile' : `${within} miles`;
  const chipInSummary = (text: string, change: Partial<FindForm>): Chip => ({
    ...chip(text, change),
    isInSummary: true,
  });
  return [
    ...(search === '' ? [] : [chipInSummary(`“${search}”`, { search: '' })]),
    // A postcode that this site does not know narrows nothing.
    ...(postcode === '' || !hasPlace
      ? []
      : [chipInSummary(`Near ${postcode}`, { postcode: '', within: undefined })]),
    ...(within ? [chip(`Within ${miles}`, { within: 'any' })] : []),
    ...termIds.map((id) => chip(termNames.get(id) ?? unknownNeed, { termIds: listWithout(termIds, id) })),
    ...form.ways.map((way) => chip(wayNames[way], { ways: listWithout(form.ways, way) })),
    ...form.features.map((each) => chip(featureNames[each], { features: listWithout(form.features, each) })),
    ...form.languages.map((each) => chip(each, { languages: listWithout(form.languages, each) })),
    ...days.map((day) =>
      chip(`Open on ${dayNames[dayCodes.indexOf(day)]}`, { days: listWithout(days, day) }),
    ),
    ...(time ? [chip(`Open in the ${time}`, { time: undefined })] : []),
    ...form.availabilities.map((each) =>
      chip(availabilityNames[each], { availabilities: listWithout(form.availabilities, each) }),
    ),
    ...(accepting ? [chip('Accepting referrals now', { accepting: false })] : []),
    ...(age === '' ? [] : [chip(`Aged ${age}`, { age: '' })]),
  ];
}

/** How many filters are in use besides the words and the place. */
export function countFiltersInUse(form: FindForm): number {
  return chipsOf({ ...form, search: '', postcode: '' }, new Map()).length;
}

const sortNames: Readonly<Record<Sort, string>> = {
  relevance: 'best match',
  distance: 'nearest',
  name: 'name',
  responsiveness: 'fastest to respond',
};

/** The orders to choose from: the best match needs a search, and the nearest a place. */
export function sortLinks(form: FindForm, current: Sort, hasPlace: boolean, path: FormPath) {
  const possible: Readonly<Record<Sort, boolean>> = {
    relevance: form.search !== '',
    distance: hasPlace,
    name: true,
    responsiveness: true,
  };
  const possibleSorts = (Object.keys(sortNames) as Sort[]).filter((sort) => possible[sort]);
  return possibleSorts.map((sort) => ({
    sort,
    text: sortNames[sort],
    href: path({ ...form, sort }),
    current: sort === current,
  }));
}

export const resultsPerPage = 20;

type PageLink = { number: number; href: string; current: boolean } | { ellipsis: true };

/** Links to the first and last page, and to those around the current one. */
export function pagination(form: FindForm, total: number, path: FormPath) {
  const last = Math.ceil(total / resultsPerPage);
  if (last < 2) return undefined;
  const { page } = form;
  const shown = [...new Set([1, page - 1, page, page + 1, last])].filter(
    (number) => number >= 1 && number <= last,
  );
  const items = shown.flatMap((number, index): PageLink[] => {
    const gap = index > 0 && number - shown[index - 1]! > 1;
    const item = { number, href: path(form, number), current: number === page };
    return gap ? [{ ellipsis: true }, item] : [item];
  });
  return {
    items,
    ...(page > 1 && { previous: { href: path(form, page - 1) } }),
    ...(page < last && { next: { href: path(form, page + 1) } }),
    last,
  };
}

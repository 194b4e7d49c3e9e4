import type { Sort } from '../search/filter-parameters.ts';
import { type Asked, findPath } from './asked.ts';

const names: Readonly<Record<Sort, string>> = {
  relevance: 'best match',
  distance: 'nearest first',
  name: 'name',
  responsiveness: 'soonest answer',
};

/** The orders that the results can have; a search is needed for the best match, and a place for the nearest. */
export function sortLinks(asked: Asked, current: Sort, hasPlace: boolean) {
  const possible: Readonly<Record<Sort, boolean>> = {
    relevance: asked.search !== '',
    distance: hasPlace,
    name: true,
    responsiveness: true,
  };
  const sorts = (Object.keys(names) as Sort[]).filter((sort) => possible[sort]);
  return sorts.map((sort) => ({
    text: names[sort],
    href: findPath({ ...asked, sort }),
    current: sort === current,
  }));
}

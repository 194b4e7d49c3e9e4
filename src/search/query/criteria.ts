import type { Availability, CalendarDay, Point } from '../../library/index.ts';
import type { facetNames, sorts } from './parameters.ts';

export type Sort = (typeof sorts)[number];
/** A filter whose values are counted beside the results. */
export type Facet = (typeof facetNames)[number];

/** Which services. */
export type Filters = {
  termIds?: readonly string[] | undefined;
  taxonomyId?: string | undefined;
  organizationId?: string | undefined;
  modifiedAfter?: Date | undefined;
  /** In metres; only where there is a place to measure from. */
  proximity?: number | undefined;
  minimumAge?: number | undefined;
  maximumAge?: number | undefined;
  hours?: WantedHours | undefined;
  openAt?: { day: CalendarDay; minute: number } | undefined;
  accepting?: boolean | undefined;
  /** Beside `accepting` on a live site: the organisations whose inboxes somebody can open. */
  answering?: readonly string[] | undefined;
  capacities?: readonly Availability[] | undefined;
};

/** Days of the week (0 is Monday; none means all), and between which minutes of them. */
export type WantedHours = {
  days: readonly number[];
  from?: number | undefined;
  to?: number | undefined;
};

/** Where somebody is, and how exactly that is known. */
export type Place = Point & { precision: 'point' | 'postcode' | 'sector' | 'district' };

/** Which services, seen from a place on a day: hours that ended before that day do not count. */
export type Criteria = { filters: Filters; place?: Place | undefined; today: string };

/** Which services, and in which order. */
export type Selection = Criteria & { sort: Sort };

/** Which page of a list, whatever the list is of, and the words that are looked for in it. */
export type Wanted = { search: string | undefined; page: number; perPage: number };

/** A value of a filter, what it is called, and how many services would be left by it. */
export type FacetCount = { value: string; name: string; taxonomy?: string; count: number };
export type Facets = Partial<Record<Facet, FacetCount[]>>;

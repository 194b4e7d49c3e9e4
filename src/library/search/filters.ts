import type { CalendarDay } from '../hours/calendar-day.ts';
import type { Point } from '../postcodes/store.ts';
import type { capacities, Facet } from './filter-parameters.ts';

/** Which services. */
export type Filters = {
  termIds?: readonly string[] | undefined;
  taxonomyId?: string | undefined;
  organizationId?: string | undefined;
  modifiedAfter?: Date | undefined;
  /** Only where there is a place to measure from. */
  proximity?: number | undefined;
  minimumAge?: number | undefined;
  maximumAge?: number | undefined;
  hours?: WantedHours | undefined;
  openAt?: { day: CalendarDay; minute: number } | undefined;
  accepting?: boolean | undefined;
  /** Beside `accepting` on a live site: the organisations whose lists of referrals somebody can open. */
  answering?: readonly string[] | undefined;
  capacities?: readonly Capacity[] | undefined;
};

type Capacity = (typeof capacities)[number];

/** Days of the week (0 is Monday), none of which is all, and a part of them. */
export type WantedHours = {
  days: readonly number[];
  from?: number | undefined;
  to?: number | undefined;
};

/** Where somebody is, and how exactly that is known. */
export type Place = Point & { precision: 'point' | 'postcode' | 'sector' | 'district' };

/** Which services, as seen from a place on a day: hours that ended before it do not count. */
export type Which = { filters: Filters; place?: Place | undefined; today: string };

/** A value of a filter, what it is called, and how many services it would leave. */
export type FacetCount = { value: string; name: string; taxonomy?: string; count: number };
export type Facets = Partial<Record<Facet, FacetCount[]>>;

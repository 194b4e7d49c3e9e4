import type { Availability, Feature, Point, PostcodeText, Way } from '../../library/index.ts';
import type { CalendarDay } from '../../platform/clock/index.ts';
import type { facetNames, sorts } from './parameters.ts';

export type Sort = (typeof sorts)[number];
/** A filter whose values are counted beside the results. */
export type Facet = (typeof facetNames)[number];

export type Filters = {
  termIds?: readonly string[] | undefined;
  taxonomyId?: string | undefined;
  organizationId?: string | undefined;
  /** Services to leave out, such as those that have declined. */
  exceptIds?: readonly string[] | undefined;
  modifiedAfter?: Date | undefined;
  /** Only services whose entry somebody has checked since this day. */
  checkedSince?: Date | undefined;
  /** The greatest distance in metres; only with a place to measure from. */
  proximity?: number | undefined;
  minimumAge?: number | undefined;
  maximumAge?: number | undefined;
  hours?: WantedHours | undefined;
  openAt?: { day: CalendarDay; minute: number } | undefined;
  accepting?: boolean | undefined;
  /** With `accepting` on a live site: the organisations that have a provider who can open their worklist. */
  staffedOrganizationIds?: readonly string[] | undefined;
  availabilities?: readonly Availability[] | undefined;
  /** Services with any of these ways to meet people, and any of these languages. */
  ways?: readonly Way[] | undefined;
  languages?: readonly string[] | undefined;
  /** Services that have all of these features. */
  features?: readonly Feature[] | undefined;
};

/** Days of the week (0 is Monday; none means all), and the minutes of the day between which it must be open. */
export type WantedHours = {
  days: readonly number[];
  from?: number | undefined;
  to?: number | undefined;
};

/** Where somebody is, and how exactly that is known. */
export type SearchPlace = Point & { precision: 'point' | 'postcode' | 'sector' | 'district' };

/** Filters, seen from a place and on a day: hours that ended before that day do not count. */
export type Criteria = { filters: Filters; place?: SearchPlace | undefined; today: string };

/** Criteria, and the order of the results. */
export type Selection = Criteria & { sort: Sort; nearby?: NearbySearch | undefined };

/**
 * Set for searches near a postcode. Services for other areas come last. Services that meet people by phone or online,
 * or at home if they cover the postcode, are found at any distance.
 */
export type NearbySearch = {
  postcode: PostcodeText;
  /** The services with an outline around the place. */
  outlinedHere: ReadonlySet<string>;
};

/** The page of a list, and the words to look for in it. */
export type PageRequest = { search: string | undefined; page: number; perPage: number };

/** A value of a filter, its name, and how many services are left if it is chosen. */
export type FacetCount = { value: string; name: string; taxonomy?: string; count: number };
export type Facets = Partial<Record<Facet, FacetCount[]>>;

import { localTime } from '../../platform/clock/index.ts';
import {
  type OpeningHours,
  openingHours,
  schedulesAtLocation,
  serviceSchedules,
} from '../hours/opening-hours.ts';
import type { OtherHours } from '../hours/other-hours.ts';
import { multirange, type Range } from '../hours/week.ts';
import type { Schedule, Service } from '../model/service.ts';
import { type AreaExtent, areaExtents } from './area-extents.ts';
import { readServedPostcodes, type ServedPostcodes } from './area-words.ts';
import { type Offers, offersOf } from './offers.ts';

/** The values by which search filters a service, other than text, terms and organisation. */
export type FilterRow = {
  id: string;
  minimumAge: number | null;
  maximumAge: number | null;
  week: string;
  places: readonly FilterPlace[];
  hours: readonly (OtherHours & { number: number })[];
  extents: readonly AreaExtent[];
  offers: Offers;
  areaWords: ServedPostcodes | undefined;
};

/** A location by its position in the service's list, from 1; a service without locations has one with the number 0. */
type FilterPlace = {
  number: number;
  latitude: number | null;
  longitude: number | null;
  week: readonly Range[];
};

/** Far more than any service has. A megabyte can describe thousands of places with thousands of hours each. */
const maxHoursOfPlaces = 50_000;

export function filterRow(service: Service, now: Date): FilterRow {
  const today = localTime(now).day.date;
  const schedules = serviceSchedules(service);
  const own = openingHours(schedules, today);
  // Most services have the same hours at all locations, so each list of schedules is parsed once.
  const parsed = new Map<readonly Schedule[], OpeningHours>([[schedules, own]]);
  let hoursLeft = maxHoursOfPlaces;
  const withinLimit = <T>(hours: readonly T[]): readonly T[] => {
    const first = hours.slice(0, hoursLeft);
    hoursLeft -= first.length;
    return first;
  };
  const places = (service.service_at_locations ?? []).map((each, index) => {
    const { latitude, longitude } = each.location ?? {};
    const schedulesHere = schedulesAtLocation(service, each);
    const { week, others } = parsed.get(schedulesHere) ?? openingHours(schedulesHere, today);
    parsed.set(schedulesHere, { week, others });
    const number = index + 1;
    const hasPoint = latitude !== undefined && longitude !== undefined;
    const point = hasPoint ? { latitude, longitude } : { latitude: null, longitude: null };
    return {
      place: { number, ...point, week: withinLimit(week) },
      hours: withNumber(withinLimit(others), number),
    };
  });
  const withoutLocation = { number: 0, latitude: null, longitude: null, week: own.week };
  return {
    id: service.id,
    minimumAge: service.minimum_age ?? null,
    maximumAge: service.maximum_age ?? null,
    week: multirange(own.week),
    places: places.length > 0 ? places.map(({ place }) => place) : [withoutLocation],
    hours: [...withNumber(own.others, 0), ...places.flatMap(({ hours }) => hours)],
    extents: areaExtents(service),
    offers: offersOf(service),
    areaWords: readServedPostcodes(service),
  };
}

function withNumber(others: readonly OtherHours[], number: number) {
  return others.map((each) => ({ ...each, number }));
}

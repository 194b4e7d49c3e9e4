import { localTime } from '../hours/calendar-day.ts';
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

/** What a service is filtered by, besides its text, terms and organisation. */
export type FilterRow = {
  id: string;
  minimumAge: number | null;
  maximumAge: number | null;
  week: string;
  places: readonly Place[];
  hours: readonly (OtherHours & { number: number })[];
  extents: readonly AreaExtent[];
};

/** One of its locations by its place in the list; 0 stands for having none. */
type Place = { number: number; latitude: number | null; longitude: number | null; week: readonly Range[] };

/** Many times what any service has. Of thousands of places, each with thousands of hours, a megabyte can tell. */
const maxHoursOfPlaces = 50_000;

export function filterRow(service: Service, now: Date): FilterRow {
  const today = localTime(now).day.date;
  const schedules = serviceSchedules(service);
  const own = openingHours(schedules, today);
  // Mostly the service keeps its hours wherever it is: each list of them is read once.
  const read = new Map<readonly Schedule[], OpeningHours>([[schedules, own]]);
  let left = maxHoursOfPlaces;
  const someOf = <T>(hours: readonly T[]): readonly T[] => {
    const some = hours.slice(0, left);
    left -= some.length;
    return some;
  };
  const at = (service.service_at_locations ?? []).map((each, index) => {
    const { latitude, longitude } = each.location ?? {};
    const there = schedulesAtLocation(service, each);
    const { week, others } = read.get(there) ?? openingHours(there, today);
    read.set(there, { week, others });
    const number = index + 1;
    const located = latitude !== undefined && longitude !== undefined;
    const point = located ? { latitude, longitude } : { latitude: null, longitude: null };
    return { place: { number, ...point, week: someOf(week) }, hours: numbered(someOf(others), number) };
  });
  const nowhere = { number: 0, latitude: null, longitude: null, week: own.week };
  return {
    id: service.id,
    minimumAge: service.minimum_age ?? null,
    maximumAge: service.maximum_age ?? null,
    week: multirange(own.week),
    places: at.length > 0 ? at.map(({ place }) => place) : [nowhere],
    hours: [...numbered(own.others, 0), ...at.flatMap(({ hours }) => hours)],
    extents: areaExtents(service),
  };
}

function numbered(others: readonly OtherHours[], number: number) {
  return others.map((each) => ({ ...each, number }));
}

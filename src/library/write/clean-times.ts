import { clockTime, minuteOf } from '../hours/clock-time.ts';
import { saysClosed } from '../hours/opening-hours.ts';
import { minutesPerDay } from '../hours/week.ts';
import type { Schedule, Service } from '../model/service.ts';

/** A schedule keeps what its source wrote in these fields, so that an export loses nothing. */
const originals = { opens_at: 'opens_at_original', closes_at: 'closes_at_original' } as const;
type TimeField = keyof typeof originals;
const timeFields = Object.keys(originals) as TimeField[];

/** A service, or an organisation without services: records that contain opening times. */
type Holder = Pick<Service, 'schedules' | 'service_at_locations' | 'organization'>;
type Organization = NonNullable<Service['organization']>;

/** A time as HSDS and Open Referral UK require it; the offset from UTC is optional. */
const hsdsTime = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:Z|\+\d\d:\d\d)?$/;

/** An opening time that is not in HSDS's form. `readAs` is missing if it could not be read. */
export type UnusualTime = { pointer: string; original: string; readAs?: string };

/**
 * Writes opening times in HSDS's form, in place: “5:00pm” becomes 17:00, and the original is kept beside it. HSDS has no
 * 24:00, so it becomes 00:00. A time that cannot be read stays as it is.
 * @returns the times that were rewritten and those that cannot be read.
 */
export function cleanTimes(holder: Holder): UnusualTime[] {
  const unusual: UnusualTime[] = [];
  for (const { schedule, pointer } of schedulesIn(holder)) {
    if (saysClosed(schedule)) continue;
    for (const field of timeFields) {
      const time = cleanTime(schedule, field);
      if (time) unusual.push({ pointer: `${pointer}/${field}`, ...time });
    }
  }
  return unusual;
}

/** Removes, in place, the originals of times that somebody has changed since. */
export function dropStaleOriginals(holder: Holder): void {
  for (const { schedule } of schedulesIn(holder)) {
    for (const name of staleOriginals(schedule)) delete (schedule as Record<string, unknown>)[name];
  }
}

export function staleOriginals(schedule: Schedule): string[] {
  return timeFields.flatMap((field) => {
    const original = (schedule as Record<string, unknown>)[originals[field]];
    const isStale =
      typeof original === 'string' && normalisedTime(original) !== normalisedTime(schedule[field]);
    return isStale ? originals[field] : [];
  });
}

function cleanTime(schedule: Schedule, field: TimeField): Omit<UnusualTime, 'pointer'> | undefined {
  const original = schedule[field];
  if (original === undefined || hsdsTime.test(original)) return undefined;
  const readAs = normalisedTime(original);
  if (readAs === undefined) return { original };
  // The source may itself use a field of that name. It is not overwritten; the time can be read anyway.
  if (readAs === original || originals[field] in schedule) return undefined;
  schedule[field] = readAs;
  (schedule as Record<string, unknown>)[originals[field]] = original;
  return { original, readAs };
}

function normalisedTime(time: string | undefined): string | undefined {
  const minute = minuteOf(time);
  return minute === undefined ? undefined : clockTime(minute % minutesPerDay);
}

type LocatedSchedule = { schedule: Schedule; pointer: string };

function* schedulesIn({
  schedules,
  service_at_locations = [],
  organization,
}: Holder): Generator<LocatedSchedule> {
  yield* withPointers(schedules, '');
  for (const [index, at] of service_at_locations.entries()) {
    const pointer = `/service_at_locations/${index}`;
    yield* withPointers(at.schedules, pointer);
    yield* withPointers(at.location?.schedules, `${pointer}/location`);
  }
  if (organization) yield* schedulesOfPlaces(organization);
}

function* schedulesOfPlaces({ locations = [] }: Organization): Generator<LocatedSchedule> {
  for (const [index, { schedules }] of locations.entries()) {
    yield* withPointers(schedules, `/organization/locations/${index}`);
  }
}

function* withPointers(schedules: readonly Schedule[] = [], pointer: string): Generator<LocatedSchedule> {
  for (const [index, schedule] of schedules.entries()) {
    yield { schedule, pointer: `${pointer}/schedules/${index}` };
  }
}

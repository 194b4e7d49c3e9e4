import { clockTime, minuteOf } from '../hours/clock-time.ts';
import { saysClosed } from '../hours/opening-hours.ts';
import { minutesPerDay } from '../hours/week.ts';
import type { Schedule, Service } from '../model/service.ts';

/** Under these names a schedule keeps what its source wrote, so that an export loses nothing of it. */
const originals = { opens_at: 'opens_at_original', closes_at: 'closes_at_original' } as const;
type TimeField = keyof typeof originals;
const timeFields = Object.keys(originals) as TimeField[];

/** A service, or an organisation that no service has: what has opening times somewhere in it. */
type Holder = Pick<Service, 'schedules' | 'service_at_locations' | 'organization'>;
type Organization = NonNullable<Service['organization']>;

/** As HSDS and Open Referral UK want a time, with the offset from UTC that it may have. */
const hsdsTime = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:Z|\+\d\d:\d\d)?$/;

/** An opening time that was not written as HSDS wants it; without `readAs`, it could not be read. */
export type UnusualTime = { pointer: string; written: string; readAs?: string };

/**
 * Writes opening times as HSDS wants them, in place: “5:00pm” becomes 17:00, and the original is kept beside it. HSDS has no
 * 24:00, so a day that closes then closes at 00:00, and one that opens then opens at the day's first minute. A time that
 * cannot be read stays as it is. @returns both kinds.
 */
export function cleanTimes(holder: Holder): UnusualTime[] {
  const odd: UnusualTime[] = [];
  for (const { schedule, pointer } of schedulesIn(holder)) {
    if (saysClosed(schedule)) continue;
    for (const field of timeFields) {
      const found = cleanTime(schedule, field);
      if (found) odd.push({ pointer: `${pointer}/${field}`, ...found });
    }
  }
  return odd;
}

/** Forgets, in place, what a source wrote for times that somebody has changed since. */
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
  const written = schedule[field];
  if (written === undefined || hsdsTime.test(written)) return undefined;
  const readAs = normalisedTime(written);
  if (readAs === undefined) return { written };
  // The source may use a field of that name itself: it is not overwritten, and the time is understood all the same.
  if (readAs === written || originals[field] in schedule) return undefined;
  schedule[field] = readAs;
  (schedule as Record<string, unknown>)[originals[field]] = written;
  return { written, readAs };
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

import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { runs } from '../../../test/app/runs.ts';
import { emptyLibrary } from '../../../test/database/empty-library.ts';
import { setAccepts, setAvailability } from '../../../test/library/stored.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';

// What the filters find is compared with plain rules that share no code with them.

const codes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
/** The services were imported ten days before. */
const imported = '2026-11-21';
const today = '2026-12-01';
const dayMs = 86_400_000;
const days = Array.from({ length: 120 }, (_, index) => new Date(Date.parse(today) + (index - 40) * dayMs));

const oneOf = fc.constantFrom;
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const hour = fc.integer({ min: 0, max: 95 }).map((quarter) => quarter / 4);
const clock = (hours: number) =>
  `${String(Math.floor(hours)).padStart(2, '0')}:${String((hours % 1) * 60).padStart(2, '0')}`;
const date = oneOf(...days).map((day) => day.toISOString().slice(0, 10));
const coordinate = (middle: number) => fc.integer({ min: -5, max: 5 }).map((step) => middle + step / 50);
const point = fc.record({ latitude: coordinate(54), longitude: coordinate(-2) });

const schedule = fc.record({
  freq: oneOf('WEEKLY', 'MONTHLY'),
  byday: fc.uniqueArray(oneOf(...codes), { minLength: 1, maxLength: 3 }),
  nth: oneOf(1, 2, -1),
  interval: oneOf(1, 1, 2, 3),
  dtstart: some(date),
  valid_to: some(fc.oneof(date, oneOf('2026-11-25', '2026-11-30', today))),
  opens: hour,
  closes: hour,
});
type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never;

const service = fc.record({
  minimum_age: some(fc.integer({ min: 0, max: 90 })),
  maximum_age: some(fc.integer({ min: 10, max: 100 })),
  schedules: fc.array(schedule, { maxLength: 2 }),
  places: fc.array(some(point), { maxLength: 3 }),
  term: some(oneOf('top', 'below', 'other')),
  capacity: some(oneOf('capacity', 'waitlist', 'no-capacity', 'additional-assessment-required')),
  accepts: oneOf(true, true, false),
  status: oneOf('active', 'active', 'active', 'inactive'),
  remote: fc.subarray(['home', 'phone', 'online']),
  features: fc.subarray(['free', 'hearing-loop', 'self-referral', 'step-free']),
  languages: fc.subarray(['Polish', 'Urdu', 'Welsh']),
});
type Service = (typeof service extends fc.Arbitrary<infer T> ? T : never) & { id: string };

const query = fc.record({
  minimum_age: some(fc.integer({ min: 0, max: 50 })),
  maximum_age: some(fc.integer({ min: 50, max: 100 })),
  day: some(fc.uniqueArray(oneOf(...codes), { minLength: 1, maxLength: 3 })),
  start: some(fc.integer({ min: 0, max: 47 }).map((quarter) => quarter / 4)),
  end: some(fc.integer({ min: 49, max: 96 }).map((quarter) => quarter / 4)),
  open_at: some(fc.tuple(oneOf(...days.slice(40)), hour).map(([day, at]) => day.getTime() + at * 3_600_000)),
  near: some(fc.record({ point, proximity: some(fc.integer({ min: 0, max: 15_000 })) })),
  terms: some(fc.uniqueArray(oneOf('top', 'below', 'other', 'none'), { minLength: 1, maxLength: 2 })),
  capacity: some(
    fc.uniqueArray(oneOf('capacity', 'waitlist', 'no-capacity', 'additional-assessment-required'), {
      minLength: 1,
    }),
  ),
  accepting: some(fc.boolean()),
  way: some(fc.subarray(['in-person', 'home', 'phone', 'online'], { minLength: 1 })),
  feature: some(
    fc.subarray(['free', 'hearing-loop', 'self-referral', 'step-free'], { minLength: 1, maxLength: 2 }),
  ),
  language: some(fc.subarray(['Polish', 'Urdu', 'Klingon'], { minLength: 1 })),
});
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;

/** Whether an opening begins on a day. */
function startsOn({ freq, byday, nth, interval, dtstart, valid_to }: Schedule, day: Date): boolean {
  const text = day.toISOString().slice(0, 10);
  if ((dtstart !== undefined && text < dtstart) || (valid_to !== undefined && text > valid_to)) return false;
  if (!byday.includes(codes[(day.getUTCDay() + 6) % 7]!)) return false;
  if (interval > 1 && dtstart === undefined) return false;
  const first = new Date(dtstart ?? text);
  if (freq === 'WEEKLY') {
    const monday = (of: Date) => of.getTime() - ((of.getUTCDay() + 6) % 7) * dayMs;
    return ((monday(day) - monday(first)) / (7 * dayMs)) % interval === 0;
  }
  const month = (of: Date) => of.getUTCFullYear() * 12 + of.getUTCMonth();
  const sameDays = days
    .concat(moreDays)
    .filter((each) => month(each) === month(day) && each.getUTCDay() === day.getUTCDay());
  const wanted = nth > 0 ? sameDays[nth - 1] : sameDays.at(nth);
  return (month(day) - month(first)) % interval === 0 && wanted?.getTime() === day.getTime();
}
/** So that every month in question is complete. */
const moreDays = Array.from({ length: 62 }, (_, index) => new Date(days[0]!.getTime() - (index + 1) * dayMs))
  .reverse()
  .concat(Array.from({ length: 62 }, (_, index) => new Date(days.at(-1)!.getTime() + (index + 1) * dayMs)));

const length = ({ opens, closes }: Schedule) => (closes > opens ? closes - opens : closes + 24 - opens);

function isOpenAt(schedules: readonly Schedule[], moment: number): boolean {
  return schedules.some((each) =>
    [0, 1].some((before) => {
      const day = new Date(Math.floor(moment / dayMs) * dayMs - before * dayMs);
      const hours = (moment - day.getTime()) / 3_600_000;
      return startsOn(each, day) && hours >= each.opens && hours < each.opens + length(each);
    }),
  );
}

function isOpenIn(
  schedules: readonly Schedule[],
  { day: wanted = codes, start = 0, end = 24 }: Query,
): boolean {
  const lasting = schedules.filter(({ valid_to }) => valid_to === undefined || valid_to >= today);
  return lasting.some((each) =>
    each.byday.some((day) => {
      const slots = Array.from({ length: length(each) * 4 }, (_, index) => each.opens + index / 4);
      return slots.some((slot) => {
        const on = codes[(codes.indexOf(day) + Math.floor(slot / 24)) % 7]!;
        return wanted.includes(on) && slot % 24 >= start && slot % 24 < end;
      });
    }),
  );
}

function metresBetween(one: { latitude: number; longitude: number }, other: typeof one): number {
  const [a, b] = [one, other].map(({ latitude }) => (latitude * Math.PI) / 180) as [number, number];
  const width = ((other.longitude - one.longitude) * Math.PI) / 180;
  const half = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(width / 2) ** 2;
  return 2 * 6_378_168 * Math.asin(Math.sqrt(half));
}

function distanceOf({ places }: Service, from: { latitude: number; longitude: number }): number {
  return Math.min(...places.flatMap((place) => (place ? metresBetween(place, from) : [])));
}

function fits(service: Service, wanted: Query): boolean {
  const { minimum_age = 0, maximum_age = 1000, near, terms, capacity, accepting } = wanted;
  const anyTime = wanted.day ?? wanted.start ?? wanted.end;
  const takes = service.accepts && service.capacity !== 'no-capacity';
  return (
    service.status === 'active' &&
    (service.maximum_age ?? 1000) >= minimum_age &&
    (service.minimum_age ?? 0) <= maximum_age &&
    (anyTime === undefined || isOpenIn(service.schedules, wanted)) &&
    (wanted.open_at === undefined || isOpenAt(service.schedules, wanted.open_at)) &&
    (near?.proximity === undefined || distanceOf(service, near.point) <= near.proximity) &&
    (terms === undefined ||
      terms.some((each) => each === service.term || (each === 'top' && service.term === 'below'))) &&
    (capacity === undefined || capacity.some((each) => each === service.capacity)) &&
    (accepting === undefined || accepting === takes) &&
    (wanted.way === undefined || wanted.way.some((each) => waysOf(service).includes(each))) &&
    (wanted.feature === undefined || wanted.feature.every((each) => featuresOf(service).includes(each))) &&
    (wanted.language === undefined || wanted.language.some((each) => service.languages.includes(each)))
  );
}

const waysOf = ({ places, remote }: Service) => [...(places.some(Boolean) ? ['in-person'] : []), ...remote];

/** What is said of a place is missing where there is none. */
function featuresOf({ features, places }: Service): string[] {
  return places.length > 0 ? features : features.filter((each) => ['free', 'self-referral'].includes(each));
}

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
});
afterAll(() => site.close());

const sentences: Readonly<Record<string, string>> = {
  home: 'A volunteer visits you at home.',
  phone: 'There is a helpline.',
  online: 'We have an online group.',
};

function asRecord({ id, schedules, places, term, remote, features, languages, ...rest }: Service) {
  const accessibility = [
    ...(features.includes('step-free') ? [{ description: 'Step-free entrance.' }] : []),
    ...(features.includes('hearing-loop') ? [{ description: 'Hearing loop in the hall.' }] : []),
  ];
  return {
    ...rest,
    description: remote.map((each) => sentences[each]).join(' '),
    languages: [...languages, 'English'].map((name) => ({ name })),
    ...(features.includes('free') && { fees_description: 'Free.' }),
    ...(features.includes('self-referral') && { application_process: 'Refer yourself.' }),
    id,
    name: id,
    schedules: schedules.map(({ byday, nth, opens, closes, ...each }) => ({
      ...each,
      byday: byday.map((day) => (each.freq === 'MONTHLY' ? `${nth}${day}` : day)).join(','),
      opens_at: clock(opens),
      closes_at: clock(closes),
    })),
    service_at_locations: places.map((place, index) => ({
      id: `${id}-${index}`,
      location: { ...place, accessibility },
    })),
    attributes: term && [
      { taxonomy_term: { id: term, name: term, ...(term === 'below' && { parent_id: 'top' }) } },
    ],
  };
}

async function bring(services: readonly Service[]): Promise<void> {
  site.clock.moveOn(Date.parse(`${imported}T12:00:00Z`) - site.clock.now().getTime());
  const { db } = site.deps;
  await emptyLibrary(db);
  const source = Readable.from([Buffer.from(JSON.stringify(services.map(asRecord)))]);
  expect(await importServices(site.deps, siteActor, source)).toMatchObject({ created: services.length });
  for (const { id, capacity, accepts } of services) {
    await setAccepts(db, id, accepts);
    if (capacity !== undefined) await setAvailability(db, id, { status: capacity });
  }
}

/** The query with one more value of a filter, as its count has it. */
const counted = {
  way: (query: Query, value: string): Query => ({ ...query, way: [value] }),
  language: (query: Query, value: string): Query => ({ ...query, language: [value] }),
  feature: (query: Query, value: string): Query => ({ ...query, feature: [...(query.feature ?? []), value] }),
} as const;

function expectCounts(facets: Facets, services: readonly Service[], query: Query): void {
  for (const [facet, withValue] of Object.entries(counted)) {
    for (const { value, count } of facets[facet as keyof typeof counted]) {
      const fitting = services.filter((one) => fits(one, withValue(query, value)));
      expect([facet, value, count]).toEqual([facet, value, fitting.length]);
    }
  }
}
type Facets = Record<keyof typeof counted, { value: string; count: number }[]>;

function asBody({ start, end, open_at, near, terms, ...rest }: Query) {
  return {
    ...rest,
    start_time: start === undefined ? undefined : clock(start),
    end_time: end === undefined ? undefined : clock(end),
    open_at: open_at === undefined ? undefined : new Date(open_at).toISOString(),
    ...near?.point,
    proximity: near?.proximity,
    taxonomy_term_id: terms,
    per_page: 500,
    facets: Object.keys(counted),
  };
}

describe('any filters over any services', () => {
  it('find exactly what fits, the nearest first', async () => {
    const library = fc.array(service, { minLength: 20, maxLength: 40 });
    const run = fc.asyncProperty(
      library,
      fc.array(query, { minLength: 30, maxLength: 30 }),
      async (given, queries) => {
        const services = given.map((each, index) => ({ ...each, id: `s${String(index).padStart(2, '0')}` }));
        await bring(services);
        site.clock.moveOn(10 * dayMs);
        for (const each of queries) {
          const payload = asBody(each);
          const answer = await site.app.inject({
            method: 'POST',
            url: '/api/library/services/search',
            payload,
          });
          const { contents, total_items, facets } = answer.json();
          expectCounts(facets, services, each);
          const fitting = services.filter((one) => fits(one, each));
          const found = new Map<string, number>(
            contents.map(({ id, distance_metres }: Record<string, unknown>) => [
              id,
              distance_metres ?? Infinity,
            ]),
          );
          expect([...found.keys()].sort(), JSON.stringify(payload)).toEqual(fitting.map(({ id }) => id));
          expect([total_items, contents.length]).toEqual([fitting.length, fitting.length]);
          if (!each.near) continue;
          expect([...found.values()]).toEqual([...found.values()].sort((a, b) => a - b));
          for (const one of fitting)
            expect(found.get(one.id)).toBe(Math.round(distanceOf(one, each.near.point)));
        }
      },
    );
    await fc.assert(run, { numRuns: runs(8), endOnFailure: true });
  });
});

import { Readable } from 'node:stream';
import { siteActor } from '../../src/audit/index.ts';
import { importPostcodes, importServices } from '../../src/exchange/index.ts';
import { makeApp } from '../app/make-app.ts';
import { setAccepts, setAvailability } from '../library/stored.ts';

export type Valley = Awaited<ReturnType<typeof openValley>>;

// A made-up valley: the hall is where ZT1 1AA is, the mill a good kilometre north of it, the far village thirty away.
const hall = { latitude: 54, longitude: -2 };
const mill = { latitude: 54.01, longitude: -2 };
const far = { latitude: 54.3, longitude: -2 };

const at = (point: object, more: object = {}) => ({
  id: crypto.randomUUID(),
  location: { ...point },
  ...more,
});
const weekly = (byday: string, opens_at?: string, closes_at?: string, more: object = {}) => ({
  freq: 'WEEKLY',
  byday,
  opens_at,
  closes_at,
  ...more,
});
const term = (id: string, more: object = {}) => ({ taxonomy_term: { id, name: `Term ${id}`, ...more } });
const square = (west: number, south: number, size: number) => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];
const outline = (geometry: object) => ({ extent: JSON.stringify(geometry), extent_type: 'geojson' });

const services = [
  {
    id: 'walk',
    name: 'Walking group',
    schedules: [weekly('TU,TH', '10:00', '12:00')],
    service_at_locations: [at(far), at(mill)],
    attributes: [term('lonely')],
    minimum_age: 55,
  },
  {
    id: 'pub',
    name: 'Quiz at the pub',
    schedules: [weekly('FR', '20:00', '01:30')],
    service_at_locations: [at(hall)],
    attributes: [term('alone', { parent_id: 'lonely' })],
    minimum_age: 18,
    maximum_age: 64,
    service_areas: [
      {
        name: 'Town',
        ...outline({ type: 'Polygon', coordinates: [square(-2.1, 53.9, 0.2), square(-1.97, 53.97, 0.05)] }),
      },
    ],
  },
  {
    id: 'line',
    name: 'Advice line',
    schedules: [weekly('MO,TU,WE,TH,FR,SA,SU', '00:00', '00:00')],
    service_areas: [
      {
        name: 'Both ends',
        ...outline({
          type: 'Feature',
          geometry: { type: 'MultiPolygon', coordinates: [[square(-3, 53, 0.1)], [square(-2.5, 54.2, 1)]] },
        }),
      },
    ],
  },
  {
    id: 'club',
    name: 'Every other club',
    schedules: [
      // 2026-11-24 is a Tuesday, and that of a week in which it meets.
      weekly('TU', '14:00', '16:00', { interval: 2, dtstart: '2026-11-10' }),
      { freq: 'MONTHLY', byday: '-1WE', opens_at: '18:00', closes_at: '19:00' },
      { freq: 'MONTHLY', bymonthday: '1', opens_at: '09:00', closes_at: '10:00' },
      weekly('SA', '09:00', '10:00', { valid_to: '2026-01-31' }),
      weekly('MO', '09:00', '10:00', { valid_from: '2027-01-01' }),
      weekly('SU'),
    ],
    service_at_locations: [at(mill, { location: { ...mill, schedules: [weekly('SA', '08:00', '20:00')] } })],
    service_areas: [
      { name: 'Somewhere' },
      { name: 'Elsewhere', ...outline({ type: 'Polygon', coordinates: [square(10, 10, 1)] }) },
    ],
  },
  {
    id: 'hub',
    name: 'Hub',
    service_at_locations: [
      at(hall, { id: 'hub-hall', schedules: [weekly('MO', '09:00', '17:00')] }),
      at(far, { id: 'hub-far', schedules: [weekly('WE', '09:00', '17:00')] }),
    ],
  },
  { id: 'gone', name: 'No more', status: 'inactive', service_at_locations: [at(hall)] },
];

/** A site with the valley's services, whose library everybody reads. */
export async function openValley() {
  const site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  const all = services.map((service) => ({ status: 'active', ...service }));
  await importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify(all))]));
  await importPostcodes(
    site.deps,
    siteActor,
    Readable.from([Buffer.from('postcode,latitude,longitude\nZT1 1AA,54,-2\nZT9 9ZZ,,\n')]),
  );
  const { db } = site.deps;
  const setAt = (day: number) => new Date(Date.UTC(2026, 10, day, 10));
  await setAvailability(db, 'walk', { status: 'waitlist', waitingTime: 'six weeks', setAt: setAt(1) });
  await setAvailability(db, 'pub', { status: 'no-capacity', setAt: setAt(2) });
  await setAvailability(db, 'hub', { status: 'capacity', setAt: setAt(3) });
  await setAccepts(db, 'line', false);
  const get = (path: string) => site.app.inject(`/api/library${path}`);
  const page = async (query: string, list = 'services') => (await get(`/${list}?${query}`)).json();
  return {
    site,
    get,
    page,
    idsOf: async (query: string, list?: string): Promise<string[]> =>
      (await page(query, list)).contents.map(({ id }: { id: string }) => id),
  };
}

import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { up } from '../../../migrations/0015-service-filters.ts';
import { makeApp, type TestApp } from '../../../test/make-app.ts';
import { theSite } from '../../accounts/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { importPostcodes, importServices } from '../index.ts';

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

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  const all = services.map((service) => ({ status: 'active', ...service }));
  await importServices(site.deps, theSite, Readable.from([Buffer.from(JSON.stringify(all))]));
  await importPostcodes(
    site.deps,
    theSite,
    Readable.from([Buffer.from('postcode,latitude,longitude\nZT1 1AA,54,-2\nZT9 9ZZ,,\n')]),
  );
  await sql`insert into service_capacity (service_id, status, waiting_time, said_at) values
    ('walk', 'waitlist', 'six weeks', '2026-11-01T10:00:00Z'), ('pub', 'no-capacity', null, '2026-11-02T10:00:00Z'),
    ('hub', 'capacity', null, '2026-11-03T10:00:00Z')`.execute(site.deps.db);
  await sql`insert into service_referral_settings (service_id, accepts) values ('line', false)`.execute(
    site.deps.db,
  );
});
afterAll(() => site.close());

const get = (path: string) => site.app.inject(`/api/library${path}`);
const page = async (query: string, list = 'services') => (await get(`/${list}?${query}`)).json();
const idsOf = async (query: string, list?: string) =>
  (await page(query, list)).contents.map(({ id }: { id: string }) => id);
const post = (body: object) =>
  site.app.inject({ method: 'POST', url: '/api/library/services/search', payload: body });

test.each([
  ['', ['line', 'club', 'hub', 'pub', 'walk']],
  ['taxonomy_term_id=lonely', ['pub', 'walk']],
  ['taxonomy_term_id=alone&taxonomy_term_id=x', ['pub']],
  ['maximum_age=17', ['line', 'club', 'hub']],
  ['minimum_age=70', ['line', 'club', 'hub', 'walk']],
  ['minimum_age=60&maximum_age=60', ['line', 'club', 'hub', 'pub', 'walk']],
  ['day=MO', ['line', 'club', 'hub']],
  ['day=tuesday', ['line', 'club', 'walk']],
  ['day=SA', ['line', 'pub']],
  ['day=SU', ['line', 'club']],
  ['day=SU&start_time=09:00', ['line']],
  ['day=SU,WE', ['line', 'club', 'hub']],
  ['day=TU&start_time=12:00', ['line', 'club']],
  ['day=TU&end_time=10:00', ['line']],
  ['day=TU&end_time=10:01', ['line', 'walk']],
  ['day=SA&start_time=01:00&end_time=02:00', ['line', 'pub']],
  ['day=SA&start_time=01:30&end_time=02:00', ['line']],
  ['start_time=19:30&end_time=24:00', ['line', 'pub']],
  // Half past ten on a Tuesday of November, and of July, when clocks are an hour ahead of UTC.
  ['open_at=2026-11-24T10:30:00Z', ['line', 'walk']],
  ['open_at=2026-07-21T09:30:00Z', ['line', 'walk']],
  ['open_at=2026-07-21T10:30:00%2B01:00', ['line', 'walk']],
  ['open_at=2026-11-24T12:00:00Z', ['line']],
  ['open_at=2026-11-28T00:30:00Z', ['line', 'pub']],
  ['open_at=2026-11-24T15:00:00Z', ['line', 'club']],
  ['open_at=2026-12-01T15:00:00Z', ['line']],
  ['open_at=2026-12-01T09:30:00Z', ['line', 'club']],
  ['open_at=2026-11-25T18:30:00Z', ['line', 'club']],
  ['open_at=2026-11-18T18:30:00Z', ['line']],
  ['open_at=2026-11-23T09:30:00Z', ['line', 'hub']],
  ['open_at=2027-01-04T09:30:00Z', ['line', 'club', 'hub']],
  ['accepting=true', ['club', 'hub', 'walk']],
  ['accepting=false', ['line', 'pub']],
  ['capacity=waitlist&capacity=capacity', ['hub', 'walk']],
  ['capacity=no-capacity&accepting=true', []],
  ['latitude=54&longitude=-2', ['hub', 'pub', 'club', 'walk', 'line']],
  ['postcode=zt11aa&sort=name', ['line', 'club', 'hub', 'pub', 'walk']],
  ['postcode=ZT1%201AA&proximity=100', ['hub', 'pub']],
  ['postcode=ZT1%201AA&proximity=2000&day=TU', ['club', 'walk']],
  ['latitude=54.3&longitude=-2&proximity=0', ['hub', 'walk']],
  ['latitude=54.3&longitude=-2&per_page=2&page=2', ['club', 'pub']],
])('%s finds %j', async (query, ids) => {
  expect(await idsOf(query)).toEqual(ids);
});

test('a service says how far its nearest place is, whether it serves the place, and what room it has', async () => {
  const { contents, place } = await page('postcode=ZT1%201AA&full=true');
  expect(place).toEqual({ latitude: 54, longitude: -2, precision: 'postcode' });
  const said = contents.map(({ id, distance_metres, in_service_area }: Record<string, unknown>) => [
    id,
    distance_metres,
    in_service_area,
  ]);
  expect(said).toEqual([
    ['hub', 0, undefined],
    ['pub', 0, true],
    ['club', 1113, undefined],
    ['walk', 1113, undefined],
    ['line', undefined, false],
  ]);
  expect(contents[3].service_capacity).toEqual({
    status: 'waitlist',
    waiting_time: 'six weeks',
    updated: '2026-11-01T10:00:00Z',
  });
  expect((await get('/services/hub')).json().service_capacity.status).toBe('capacity');
  // In the hole of the pub's area; in neither of those of the club, one of which nobody knows; in the line's second.
  const elsewhere = (await page('latitude=54.3&longitude=-1.95')).contents;
  const inHole = (await page('latitude=53.98&longitude=-1.96')).contents;
  const areaOf = (list: Record<string, unknown>[], id: string) =>
    list.find((each) => each.id === id)?.in_service_area;
  expect([areaOf(inHole, 'pub'), areaOf(elsewhere, 'line'), areaOf(elsewhere, 'club')]).toEqual([
    false,
    true,
    undefined,
  ]);
});

test('where the postcode is not known, its district is measured from, and the answer says so', async () => {
  expect((await page('postcode=ZT1%201ZZ')).place.precision).toBe('sector');
  expect((await page('postcode=ZT1%209ZZ')).place.precision).toBe('district');
});

test('services at locations are filtered and measured one location at a time', async () => {
  expect(await idsOf('search=hub&day=MO', 'service_at_locations')).toEqual(['hub-hall']);
  expect(await idsOf('search=hub&open_at=2026-11-25T12:00:00Z', 'service_at_locations')).toEqual(['hub-far']);
  const near = await page('search=hub&latitude=54.3&longitude=-2&sort=distance', 'service_at_locations');
  expect(near.contents).toMatchObject([
    { id: 'hub-far', distance_metres: 0, service: { service_capacity: { status: 'capacity' } } },
    { id: 'hub-hall', distance_metres: 33396 },
  ]);
  expect(await idsOf('postcode=ZT1%201AA&proximity=10&search=hub', 'service_at_locations')).toEqual([
    'hub-hall',
  ]);
  const lines = (await get('/service_at_locations?format=ndjson&postcode=ZT1%201AA&day=MO&search=hub')).body;
  expect(
    lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(['hub-hall']);
});

test('facets count what each value would leave, whatever is chosen of them now', async () => {
  const { facets, total_items } = await page(
    'day=MO&taxonomy_term_id=alone&facets=taxonomy_term_id,day,capacity',
  );
  expect(total_items).toBe(0);
  expect(facets.taxonomy_term_id).toEqual([]);
  expect(facets.day.map(({ value, count }: Record<string, unknown>) => [value, count])).toEqual([
    ['MO', 0],
    ['TU', 0],
    ['WE', 0],
    ['TH', 0],
    ['FR', 1],
    ['SA', 1],
    ['SU', 0],
  ]);
  const all = (await page('facets=taxonomy_term_id&facets=capacity')).facets;
  expect(all).toEqual({
    taxonomy_term_id: [
      { value: 'lonely', name: 'Term lonely', count: 2 },
      { value: 'alone', name: 'Term alone', count: 1 },
    ],
    capacity: [
      { value: 'capacity', name: 'Has room', count: 1 },
      { value: 'waitlist', name: 'Waiting list', count: 1 },
      { value: 'no-capacity', name: 'No room', count: 1 },
    ],
  });
});

test('the same is asked in a body, where nothing is ignored and nothing gets into the log', async () => {
  const answer = await post({
    search: 'group',
    postcode: 'ZT1 1AA',
    proximity: 5000,
    day: ['TU'],
    per_page: 5,
  });
  expect(answer.json()).toMatchObject({
    total_items: 1,
    place: { precision: 'postcode' },
    contents: [{ id: 'walk' }],
  });
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers).not.toHaveProperty('etag');
  const refused = await post({ postcode: 'ZT1 1AA', surname: 'Example', day: ['someday'], proximity: '5' });
  expect(refused.statusCode).toBe(400);
  expect(refused.json().errors).toEqual([
    { pointer: '/surname', message: 'is not known here: leave it out' },
    { pointer: '/proximity', message: 'must be a number' },
    { pointer: '/day/0', message: expect.stringMatching(/^must be one of MO, TU/) },
  ]);
  expect((await post({ sort: 'distance' })).json().errors[0].pointer).toBe('/sort');
  expect(refused.body).not.toContain('Example');
  expect(site.logLines.join('')).not.toMatch(/ZT1|group/);
});

test.each([
  ['postcode=SW1A', 'postcode', 'must be a full UK postcode such as ZT1 3GH'],
  ['postcode=ZZ99%209ZZ', 'postcode', 'is in no district that this site knows'],
  ['postcode=ZT1%201AA&latitude=54&longitude=-2', 'postcode', 'must not stand beside'],
  ['latitude=54', 'longitude', 'is required with a latitude'],
  ['longitude=-2', 'latitude', 'is required with a longitude'],
  ['latitude=90.1&longitude=0', 'latitude', 'must be 90 or less'],
  ['latitude=NaN&longitude=0', 'latitude', 'must be a number'],
  ['postcode=ZT1%201AA&proximity=-1', 'proximity', 'must be 0 or more'],
  ['proximity=100', 'proximity', 'needs a postcode'],
  ['sort=distance', 'sort', 'by distance needs a postcode'],
  ['sort=random', 'sort', 'must be one of relevance, distance, name'],
  ['day=Someday', 'day/0', 'must be one of MO'],
  ['start_time=25:00', 'start_time', 'must be a time of the day'],
  ['end_time=9am', 'end_time', 'must be a time of the day'],
  ['start_time=12:00&end_time=12:00', 'end_time', 'must be later than start_time'],
  ['open_at=now', 'open_at', 'must be a moment'],
  ['open_at=9999-12-31', 'open_at', 'must be a moment of the years'],
  ['open_at=0999-12-31', 'open_at', 'must be a moment of the years'],
  ['minimum_age=-1', 'minimum_age', 'must be 0 or more'],
  ['minimum_age=40&maximum_age=30', 'maximum_age', 'must not be less than minimum_age'],
  ['accepting=maybe', 'accepting', 'must be true or false'],
  ['capacity=some', 'capacity/0', 'must be one of capacity, waitlist, no-capacity'],
  ['facets=cost', 'facets/0', 'must be one of taxonomy_term_id, day, capacity'],
  ['postcode=ZT1%00', 'postcode', 'must not hold the character NUL'],
  ['postcode=%ff', 'postcode', 'must be UTF-8'],
  [`postcode=${'Z'.repeat(5000)}`, 'postcode', 'must have at most 30 characters'],
])('%s is refused, and says why', async (query, name, message) => {
  const answer = await get(`/services?${query}`);
  expect(answer.statusCode).toBe(400);
  expect(answer.json().errors).toEqual([
    { pointer: `/query/${name}`, message: expect.stringContaining(message) },
  ]);
});

test('what was counted is counted anew once the library has changed, and by nobody who cannot see it yet', async () => {
  const { db } = site.deps;
  const counts = async () => {
    const { total_items, facets } = await page('per_page=1&accepting=true&facets=capacity');
    return [total_items, ...facets.capacity.map(({ count }: { count: number }) => count)];
  };
  expect(await counts()).toEqual([3, 1, 1, 0]);
  await inTransaction(db, async (trx) => {
    await sql`update service_capacity set status = 'capacity' where service_id = 'pub'`.execute(trx);
    await sql`update service_referral_settings set accepts = true`.execute(trx);
    await sql`update services set status = 'inactive' where id = 'hub'`.execute(trx);
    expect(await counts()).toEqual([3, 1, 1, 0]);
  });
  expect(await counts()).toEqual([4, 1, 1, 0]);
  await sql`update services set status = 'active' where id = 'hub'`.execute(db);
  expect(await counts()).toEqual([5, 2, 1, 0]);
});

test('what answers say besides comes back in as what it is: the room, if it is news, and nothing else', async () => {
  const import_ = async (service: object) =>
    importServices(site.deps, theSite, Readable.from([Buffer.from(JSON.stringify([service]))]));
  const given = (await page('search=walking&full=true&postcode=ZT1%201AA')).contents[0];
  expect(given).toMatchObject({ distance_metres: 1113, service_capacity: { status: 'waitlist' } });
  const stored = async () => {
    const { rows } = await sql<{ document: string }>`
      select document from service_documents where service_id = 'walk'`.execute(site.deps.db);
    return rows[0]!.document;
  };
  const before = await stored();
  await import_({ ...given, service_capacity: { status: 'capacity', updated: '2026-10-01T00:00:00Z' } });
  expect(await stored()).toBe(before);
  expect((await get('/services/walk')).json().service_capacity.status).toBe('waitlist');
  const room = { status: 'no-capacity', updated: '2026-11-20T00:00:00Z' };
  await import_({ ...given, service_capacity: room });
  expect((await get('/services/walk')).json().service_capacity).toEqual(room);
  expect(await import_({ ...given, service_capacity: room })).toMatchObject({ unchanged: 1 });
});

test('services that were there before the filters have the rows that an import makes', async () => {
  const { db } = site.deps;
  const rows = async () => {
    const tables = await Promise.all([
      sql`select id, minimum_age, maximum_age, week::text from services order by id`.execute(db),
      sql`select *, point::text, week::text from service_places order by service_id, number`.execute(db),
      sql`select *, during::text from service_hours h order by h::text`.execute(db),
      sql`select *, extent::text from service_area_extents e order by e::text`.execute(db),
    ]);
    return tables.map((table) => table.rows);
  };
  const imported = await rows();
  expect(imported.map(({ length }) => length)).toEqual([6, 8, 10, 5]);
  await sql`drop table service_places, service_hours, service_area_extents, service_capacity`.execute(db);
  await sql`drop table library_version, library_changing`.execute(db);
  await sql`drop function library_changes, library_changed cascade`.execute(db);
  await sql`alter table services drop minimum_age, drop maximum_age, drop week`.execute(db);
  await inTransaction(db, up);
  expect(await rows()).toEqual(imported);
});

import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { otherProcess } from '../../../test/database/other-process.ts';
import { theSite } from '../../accounts/index.ts';
import { importPostcodes, importServices } from '../../exchange/index.ts';

const walk = {
  id: 'walk',
  name: 'Walking group',
  status: 'active',
  organization: { id: 'trust', name: 'The Trust' },
  schedules: [{ freq: 'WEEKLY', byday: 'SA', opens_at: '10:00', closes_at: '12:00', valid_to: '2026-11-21' }],
  service_at_locations: [
    { id: 'at', location: { id: 'park', location_type: 'physical', latitude: 54.05, longitude: -2.14 } },
  ],
};

let site: TestApp;
let other: ReturnType<typeof otherProcess>;
/** How often anything was asked of the database. */
let questions = 0;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  other = otherProcess(site.database);
  site.database.pool.on('acquire', () => {
    questions += 1;
  });
  await bring('Walking group');
});
afterAll(async () => {
  await other.close();
  await site.close();
});

const bring = (name: string) => {
  const source = Readable.from([Buffer.from(JSON.stringify({ ...walk, name }))]);
  return importServices(site.deps, theSite, source);
};
const get = (path: string, headers: Record<string, string> = {}) =>
  site.app.inject({ url: `/api/library${path}`, headers });
const nameOf = async (path: string) => (await get(path)).json().contents[0].name;

/** How many questions it takes. */
async function asking(action: () => Promise<unknown>): Promise<number> {
  const before = questions;
  await action();
  return questions - before;
}

test.each([
  '/services?full=true&day=SA',
  '/services?search=walking',
  '/service_at_locations',
  '/organizations',
  '/taxonomies',
  '/taxonomy_terms',
])('%s that was asked for before is answered alike without a question', async (path) => {
  const first = await get(path);
  expect(first.statusCode).toBe(200);
  const again = async () => expect((await get(path)).body).toBe(first.body);
  // On a machine that has too much to do, news may have been missed for a moment.
  await until(async () => (await asking(again)) === 0);
  const known = await get(path, { 'if-none-match': String(first.headers.etag) });
  expect([known.statusCode, known.body]).toEqual([304, '']);
  expect((await get(`${path}${path.includes('?') ? '&' : '?'}format=ndjson`)).headers['content-type']).toBe(
    'application/x-ndjson',
  );
});

test('a change is seen at once by whoever makes it, and with its news by every other process', async () => {
  await nameOf('/services');
  await bring('Wandering');
  expect(await nameOf('/services')).toBe('Wandering');
  await sql`update service_documents set summary = replace(summary, 'Wandering', 'Roaming')`.execute(
    other.db,
  );
  await sql`update services set name = 'Roaming'`.execute(other.db);
  await until(async () => (await nameOf('/services')) === 'Roaming');
});

test('the same words on another day, or around a postcode that has moved, are looked up again', async () => {
  const onSaturdays = async () => (await get('/services?day=SA')).json().total_items;
  expect(await onSaturdays()).toBe(1);
  site.clock.moveOn(24 * 3_600_000);
  expect(await onSaturdays()).toBe(0);
  const near = '/services?postcode=ZT1%203GH';
  const latitude = async () => (await get(near)).json().place.latitude;
  const directory = Readable.from([Buffer.from('postcode,latitude,longitude\nZT1 3GH,54.05,-2.14\n')]);
  await importPostcodes(site.deps, theSite, directory);
  expect([await latitude(), await latitude()]).toEqual([54.05, 54.05]);
  await sql`update postcodes set latitude = 54.06`.execute(other.db);
  expect(await latitude()).toBe(54.06);
});

test('whoever may not read the library gets nothing from memory', async () => {
  const closed = await makeApp();
  try {
    const { headers } = await aTokenHolder(closed.deps);
    const ask = (given: Record<string, string>) =>
      closed.app.inject({ url: '/api/library/services', headers: given });
    expect([(await ask(headers)).statusCode, (await ask(headers)).statusCode]).toEqual([200, 200]);
    expect((await ask({})).statusCode).toBe(401);
  } finally {
    await closed.close();
  }
});

test('with the listening connection lost, a change of another process is seen all the same', async () => {
  await nameOf('/services');
  await site.deps.notices.stop();
  await sql`update service_documents set summary = replace(summary, 'Roaming', 'Rambling')`.execute(other.db);
  await sql`update services set name = 'Rambling'`.execute(other.db);
  expect(await nameOf('/services')).toBe('Rambling');
});

import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { otherProcess } from '../../../test/database/other-process.ts';
import { siteActor } from '../../audit/index.ts';
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
/** How often the database was queried. */
let queries = 0;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  other = otherProcess(site.database);
  site.database.pool.on('acquire', () => {
    queries += 1;
  });
  await bring('Walking group');
});
afterAll(async () => {
  await other.close();
  await site.close();
});

function bring(name: string, deps = site.deps) {
  const source = Readable.from([Buffer.from(JSON.stringify({ ...walk, name }))]);
  return importServices(deps, siteActor, source);
}
function movePostcode(latitude: number, deps = site.deps) {
  const directory = `postcode,latitude,longitude\nZT1 3GH,${latitude},-2.14\n`;
  return importPostcodes(deps, siteActor, Readable.from([Buffer.from(directory)]));
}
/** What another process works with. */
const elsewhere = () => ({ ...site.deps, db: other.db });
const get = (path: string, headers: Record<string, string> = {}) =>
  site.app.inject({ url: `/api/library${path}`, headers });
const nameOf = async (path: string) => (await get(path)).json().contents[0].name;

async function countQueries(action: () => Promise<unknown>): Promise<number> {
  const before = queries;
  await action();
  return queries - before;
}

describe('a list that was asked for before', () => {
  it.each([
    '/services?full=true&day=SA',
    '/services?search=walking',
    '/service_at_locations',
    '/organizations',
    '/taxonomies',
    '/taxonomy_terms',
  ])('is answered again without a query: %s', async (path) => {
    const first = await get(path);
    expect(first.statusCode).toBe(200);
    const again = async () => expect((await get(path)).body).toBe(first.body);
    // On a busy machine, notices may be missed for a moment.
    await until(async () => (await countQueries(again)) === 0);
    const known = await get(path, { 'if-none-match': String(first.headers.etag) });
    expect([known.statusCode, known.body]).toEqual([304, '']);
    expect((await get(`${path}${path.includes('?') ? '&' : '?'}format=ndjson`)).headers['content-type']).toBe(
      'application/x-ndjson',
    );
  });

  it('shows a change of this process at once, of another soon', async () => {
    await nameOf('/services');
    await bring('Wandering');
    expect(await nameOf('/services')).toBe('Wandering');
    await bring('Roaming', elsewhere());
    await until(async () => (await nameOf('/services')) === 'Roaming');
  });

  it('is read again on another day, or when a postcode has moved', async () => {
    const onSaturdays = async () => (await get('/services?day=SA')).json().total_items;
    expect(await onSaturdays()).toBe(1);
    site.clock.moveOn(24 * 3_600_000);
    expect(await onSaturdays()).toBe(0);
    const near = '/services?postcode=ZT1%203GH';
    const latitude = async () => (await get(near)).json().place.latitude;
    await movePostcode(54.05);
    expect([await latitude(), await latitude()]).toEqual([54.05, 54.05]);
    await movePostcode(54.06, elsewhere());
    expect(await latitude()).toBe(54.06);
  });

  it('is not given to anybody who may not read the library', async () => {
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

  it("has another process's change even if notices are lost", async () => {
    await nameOf('/services');
    await site.deps.notices.stop();
    await bring('Rambling', elsewhere());
    expect(await nameOf('/services')).toBe('Rambling');
  });
});

import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  changeService,
  setAccepts,
  setAvailability,
  storedDocuments,
  storedFilterRows,
} from '../../../test/library/stored.ts';
import { openValley, type Valley } from '../../../test/people/valley.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';
import { rebuildFilterRows } from '../../library/index.ts';
import { inTransaction } from '../../platform/database/index.ts';

// How filters are sent, in an address or a body; and what they are counted and made from.

let site: Valley['site'];
let get: Valley['get'];
let page: Valley['page'];
beforeAll(async () => {
  ({ site, get, page } = await openValley());
});
afterAll(() => site.close());

const post = (body: object) =>
  site.app.inject({ method: 'POST', url: '/api/library/services/search', payload: body });

describe('a search in a body', () => {
  it('finds the same, refuses unknown fields and logs nothing', async () => {
    const answer = await post({
      search: 'group',
      postcode: 'ZT1 1AA',
      proximity: 5000,
      day: 'tuesday',
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
      { pointer: '/surname', message: 'is not a known field; leave it out' },
      { pointer: '/proximity', message: 'must be a number' },
      { pointer: '/day/0', message: expect.stringMatching(/^must be one of MO, TU/) },
    ]);
    expect((await post({ sort: 'distance' })).json().errors[0].pointer).toBe('/sort');
    expect(refused.body).not.toContain('Example');
    expect(site.logLines.join('')).not.toMatch(/ZT1|group/);
  });
});

describe('a filter', () => {
  it.each([
    ['postcode=SW1A', 'postcode', 'must be a full UK postcode such as ZT1 3GH'],
    ['postcode=ZZ99%209ZZ', 'postcode', 'is in no district that this site knows'],
    ['postcode=ZT1%201AA&latitude=54&longitude=-2', 'postcode', 'cannot be combined'],
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
    ['open_at=now', 'open_at', 'must be a date and time'],
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
  ])('is refused with its reason: %s', async (query, name, message) => {
    const answer = await get(`/services?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([
      { pointer: `/query/${name}`, message: expect.stringContaining(message) },
    ]);
  });
});

describe('counts', () => {
  it('change with the library, once the change is committed', async () => {
    const { db } = site.deps;
    const counts = async () => {
      const { total_items, facets } = await page('per_page=1&accepting=true&facets=capacity');
      return [total_items, ...facets.capacity.map(({ count }: { count: number }) => count)];
    };
    expect(await counts()).toEqual([3, 1, 1, 0, 0]);
    await inTransaction(db, async (trx) => {
      await setAvailability(trx, 'pub', { status: 'capacity' });
      await setAccepts(trx, 'line', true);
      await changeService(trx, 'hub', { status: 'inactive' });
      expect(await counts()).toEqual([3, 1, 1, 0, 0]);
    });
    expect(await counts()).toEqual([4, 1, 1, 0, 0]);
    await inTransaction(db, (trx) => changeService(trx, 'hub', { status: 'active' }));
    expect(await counts()).toEqual([5, 2, 1, 0, 0]);
  });
});

describe('an import of our own answer', () => {
  it('takes newer availability from it, and nothing else', async () => {
    const import_ = async (service: object) =>
      importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify([service]))]));
    const given = (await page('search=walking&full=true&postcode=ZT1%201AA')).contents[0];
    expect(given).toMatchObject({ distance_metres: 1113, service_capacity: { status: 'waitlist' } });
    const stored = async () => (await storedDocuments(site.deps.db)).get('walk');
    const before = await stored();
    await import_({ ...given, service_capacity: { status: 'capacity', updated: '2026-10-01T00:00:00Z' } });
    expect(await stored()).toBe(before);
    expect((await get('/services/walk')).json().service_capacity.status).toBe('waitlist');
    const full = { status: 'no-capacity', updated: '2026-11-20T00:00:00Z' };
    await import_({ ...given, service_capacity: full });
    expect((await get('/services/walk')).json().service_capacity).toEqual(full);
    expect(await import_({ ...given, service_capacity: full })).toMatchObject({ unchanged: 1 });
  });
});

describe('the rows that filters use', () => {
  it('are the same from stored documents as from an import', async () => {
    const { db } = site.deps;
    const imported = await storedFilterRows(db);
    expect(imported.map(({ length }) => length)).toEqual([6, 8, 10, 5]);
    const documents = [...(await storedDocuments(db))].map(([id, document]) => ({ id, document }));
    await inTransaction(db, async (trx) => {
      for (const { id } of documents)
        await changeService(trx, id, { minimum_age: null, maximum_age: null, week: '{}' });
      await rebuildFilterRows(trx, documents, site.clock.now());
    });
    expect(await storedFilterRows(db)).toEqual(imported);
  });
});

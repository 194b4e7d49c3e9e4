import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';

const need = { id: 'needs', name: 'Need' };
const walk = {
  id: 'walk',
  name: 'Walking group',
  status: 'active',
  organization: { id: 'trust', name: 'The Trust' },
  attributes: [{ taxonomy_term: { id: 'lonely', name: 'Loneliness', taxonomy_detail: need } }],
  service_at_locations: [{ id: 'at-park', location: { id: 'park', location_type: 'physical' } }],
};
/** The same service with everything renamed. */
const wander = {
  ...walk,
  name: 'Wandering',
  organization: { id: 'trust', name: 'Trust' },
  attributes: [
    { taxonomy_term: { id: 'lonely', name: 'Lonely', taxonomy_detail: { ...need, name: 'Needs' } } },
  ],
};

const dated = [
  '/services/walk',
  '/service_at_locations/at-park',
  '/taxonomies/needs',
  '/taxonomy_terms/lonely',
];
const undated = [
  '/organizations/trust',
  '/services',
  '/service_at_locations',
  '/organizations',
  '/taxonomies',
  '/taxonomy_terms',
];

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  await bring(walk);
});
afterAll(() => site.close());

const bring = (given: object) =>
  importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify(given))]));
const get = (path: string, headers: Record<string, string> = {}) =>
  site.app.inject({ url: `/api/library${path}`, headers });

describe('an answer that the client already has', () => {
  it('is 304 until it changes', async () => {
    const known = new Map<string, { tag: string; changed: string | undefined }>();
    for (const path of [...dated, ...undated]) {
      const { headers } = await get(path);
      expect(headers['cache-control']).toBe('private, no-cache');
      const tag = String(headers.etag);
      known.set(path, { tag, changed: headers['last-modified'] as string | undefined });
      const again = await get(path, { 'if-none-match': `"other", W/${tag}` });
      expect([again.statusCode, again.body, again.headers.etag], path).toEqual([304, '', tag]);
      expect((await get(path, { 'if-none-match': '*' })).statusCode, path).toBe(304);
    }
    site.clock.moveOn(2000);
    await bring(wander);
    for (const [path, { tag, changed }] of known) {
      expect((await get(path, { 'if-none-match': tag })).statusCode, path).toBe(200);
      if (changed) expect((await get(path, { 'if-modified-since': changed })).statusCode, path).toBe(200);
    }
  });

  it('is found by its date if no ETag is sent', async () => {
    const farAhead = 'Fri, 01 Jan 2100 00:00:00 GMT';
    for (const path of dated) {
      const since = String((await get(path)).headers['last-modified']);
      expect((await get(path, { 'if-modified-since': since })).statusCode, path).toBe(304);
      const another = { 'if-none-match': '"other"', 'if-modified-since': since };
      expect((await get(path, another)).statusCode, path).toBe(200);
      expect((await get(path, { 'if-modified-since': 'yesterday' })).statusCode, path).toBe(200);
      const before = new Date(Date.parse(since) - 1000).toUTCString();
      expect((await get(path, { 'if-modified-since': before })).statusCode, path).toBe(200);
    }
    for (const path of undated) {
      const { statusCode, headers } = await get(path, { 'if-modified-since': farAhead });
      expect([statusCode, headers['last-modified']], path).toEqual([200, undefined]);
    }
  });
});

describe('a page that is too long to keep', () => {
  it('is sent in pieces with the same content', async () => {
    const places = Array.from({ length: 20 }, (_, index) => ({
      id: `at-${index}`,
      location: {
        id: `place-${index}`,
        location_type: 'physical',
        latitude: 54 + index / 100,
        longitude: -2,
      },
    }));
    const description = 'é long story '.repeat(40_000);
    await bring({ id: 'chain', name: 'Chain', status: 'active', description, service_at_locations: places });
    for (const near of ['', '&latitude=54&longitude=-2']) {
      const path = `/service_at_locations?full=true&search=chain${near}`;
      const { statusCode, headers, body } = await get(`${path}&per_page=500`);
      expect([statusCode, headers.etag, headers['content-type']]).toEqual([
        200,
        undefined,
        'application/json; charset=utf-8',
      ]);
      const page = JSON.parse(body);
      expect(page).toMatchObject({ total_items: 20, size: 20, last_page: true });
      const one = await get(`${path}&per_page=1&page=20`);
      expect(one.headers.etag).toBeDefined();
      expect(page.contents.at(-1)).toEqual(one.json().contents[0]);
      const lines = (await get(`${path}&format=ndjson`)).body.trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line).id).toSorted()).toEqual(
        places.map(({ id }) => id).toSorted(),
      );
    }
  });
});

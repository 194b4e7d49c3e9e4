import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storeNumberedServices } from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true', ONWARD_BASE_URL: 'https://onward.example' } });
  await storeNumberedServices(site.deps.db, 1, 200);
});
afterAll(() => site.close());

const get = (url: string, headers: Record<string, string> = {}) => site.app.inject({ url, headers });
const decompress: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

describe('the API document', () => {
  it('is compressed for a client that takes that, and small', async () => {
    const plain = await get('/api/openapi.json');
    expect(plain.headers['content-encoding']).toBeUndefined();
    // These limits are a little above the sizes today. Raise them on purpose, not because something was added by accident.
    expect(plain.rawPayload.length).toBeLessThan(552 * 1024);
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip;q=0.5', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
    ] as const) {
      const { headers, rawPayload } = await get('/api/openapi.json', { 'accept-encoding': accepted });
      expect([headers['content-encoding'], headers.vary], accepted).toEqual([encoding, 'Accept-Encoding']);
      expect(decompress[encoding]!(rawPayload).equals(plain.rawPayload), accepted).toBe(true);
      expect(rawPayload.length).toBeLessThan(encoding === 'br' ? 62_500 : 88_000);
    }
    expect((await get('/api/openapi.json', { 'accept-encoding': 'deflate' })).body).toBe(plain.body);
  });

  it('is not sent again to a client that has it', async () => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const accepting = { 'accept-encoding': encoding };
      const { etag } = (await get('/api/openapi.json', accepting)).headers;
      const again = await get('/api/openapi.json', { ...accepting, 'if-none-match': String(etag) });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
  });

  it('has the site’s own address, in its examples too', async () => {
    const { body } = await get('/api/openapi.json');
    expect(JSON.parse(body).servers[0].url).toBe('https://onward.example');
    expect(body).not.toContain('localhost');
  });
});

describe('what is made from the API document', () => {
  it.each([
    '/api/docs/createReferral.json',
    '/api/docs/collection.json',
  ])('%s is compressed, and not sent again to a client that has it', async (url) => {
    const plain = await get(url);
    for (const encoding of ['br', 'gzip'] as const) {
      const accepting = { 'accept-encoding': encoding };
      const { headers, rawPayload } = await get(url, accepting);
      expect([headers['content-encoding'], headers['cache-control']]).toEqual([encoding, 'no-cache']);
      expect(decompress[encoding]!(rawPayload).equals(plain.rawPayload)).toBe(true);
      expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
      const again = await get(url, { ...accepting, 'if-none-match': String(headers.etag) });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
  });
});

describe('a page of the reference and the guide', () => {
  it.each([
    '/api/docs',
    '/guide',
    '/guide/referrals',
    '/problems',
    '/problems/wrong-state',
  ])('%s is compressed for visitors, never when signed in', async (url) => {
    const somebody = await signedInBrowser(site);
    const plain = await get(url);
    for (const encoding of ['br', 'gzip'] as const) {
      const accepting = { 'accept-encoding': encoding };
      const { headers, rawPayload } = await get(url, accepting);
      expect([headers['content-encoding'], headers['cache-control']]).toEqual([
        encoding,
        'private, no-cache',
      ]);
      expect(decompress[encoding]!(rawPayload).equals(plain.rawPayload)).toBe(true);
      const again = await get(url, { ...accepting, 'if-none-match': String(headers.etag) });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
    const { etag } = (await get(url, { 'accept-encoding': 'br' })).headers;
    const signedIn = await get(url, {
      ...somebody.headers,
      'accept-encoding': 'br',
      'if-none-match': String(etag),
    });
    expect([signedIn.statusCode, signedIn.headers['content-encoding']]).toEqual([200, undefined]);
    expect(signedIn.headers['cache-control']).toBe('no-store');
  });
});

describe('a page without anything about the people who are referred', () => {
  it.each([
    '/services?search=singing',
    '/operator/reports',
  ])('%s is compressed for somebody signed in, and not kept', async (url) => {
    const manager = await signedInBrowser(site, { roles: ['manager', 'referrer'] });
    const { statusCode, headers, rawPayload } = await get(url, {
      ...manager.headers,
      'accept-encoding': 'gzip, br',
    });
    expect([statusCode, headers['content-encoding'], headers['cache-control']]).toEqual([
      200,
      'gzip',
      'no-store',
    ]);
    const body = gunzipSync(rawPayload).toString();
    expect(body).toContain('Sign out');
    expect(rawPayload.length).toBeLessThan(body.length / 3);
  });
});

describe('the referral form', () => {
  it('is compressed only while it says nothing about a person', async () => {
    const { serviceId } = await aService(site.deps);
    const referrer = await signedInBrowser(site, { roles: ['referrer'] });
    const path = `/referrals/new?service=${serviceId}`;
    const headers = { ...referrer.headers, 'accept-encoding': 'gzip' };
    expect((await get(path, headers)).headers['content-encoding']).toBe('gzip');
    const url = '/referrals/new';
    const payload = new URLSearchParams({ service: serviceId, given_name: 'Asha' }).toString();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const refused = await site.app.inject({ method: 'POST', url, payload, headers: { ...headers, ...form } });
    expect([refused.statusCode, refused.headers['content-encoding']]).toEqual([422, undefined]);
    expect(refused.body).toContain('Asha');
  });
});

describe('a list of the library', () => {
  it('is compressed, also when it is answered from memory', async () => {
    const url = '/api/library/services?per_page=100';
    const plain = await get(url);
    for (const _ of [1, 2]) {
      const { headers, rawPayload } = await get(url, { 'accept-encoding': 'gzip' });
      expect([headers['content-encoding'], headers.etag]).toEqual(['gzip', `W/${plain.headers.etag}`]);
      expect(gunzipSync(rawPayload).toString()).toBe(plain.body);
      const known = { 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) };
      expect((await get(url, known)).statusCode).toBe(304);
    }
    const short = await get('/api/library/services?per_page=1', { 'accept-encoding': 'gzip' });
    expect(short.headers['content-encoding']).toBeUndefined();
  });
});

describe('what is about a person, or holds a token', () => {
  it('is never compressed', async () => {
    const place = await aService(site.deps);
    const holder = await aTokenHolder(site.deps);
    const headers = { ...holder.headers, 'accept-encoding': 'br, gzip' };
    const payload = aReferral(place.serviceId, { what_matters: 'To sing. '.repeat(500) });
    const made = await site.app.inject({ method: 'POST', url: '/api/referrals', payload, headers });
    const search = { method: 'POST', url: '/api/library/services/search', payload: {}, headers } as const;
    const answers = [
      made,
      await get(`/api/referrals/${made.json().id}`, headers),
      await get('/api/referrals', headers),
      await site.app.inject(search),
      await get('/signin', headers),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBeLessThan(300);
      expect(answer.body.length).toBeGreaterThan(1024);
      expect(answer.headers['content-encoding']).toBeUndefined();
    }
  });
});

import Fastify from 'fastify';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { announceDeprecation, type Deprecation, deprecations } from './deprecation.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
});
afterAll(() => site.close());

const headersOf = async (url: string) => {
  const { deprecation, sunset } = (await site.app.inject(`/api/library/${url}`)).headers;
  return [deprecation, sunset];
};

describe('what is deprecated', () => {
  it('is said, with the day of its end, to callers that use it', async () => {
    const told = ['@1795651200', 'Wed, 01 Dec 2027 00:00:00 GMT'];
    for (const url of ['services?format=ndjson', 'organizations?format=json'])
      expect([url, await headersOf(url)]).toEqual([url, told]);
    const { headers } = await site.app.inject({
      method: 'POST',
      url: '/api/library/services/search',
      payload: { format: 'json' },
    });
    expect([headers.deprecation, headers.sunset]).toEqual(told);
  });

  it('is not said to others', async () => {
    for (const url of ['services', 'services.ndjson', 'services?page=1'])
      expect([url, await headersOf(url)]).toEqual([url, [undefined, undefined]]);
  });

  it('ends after twelve months or more, and is in the guide', async () => {
    const guide = (await site.app.inject('/guide/versions')).body;
    for (const words of ['26 November 2026', '1 December 2027', '/api/patients/export'])
      expect(guide).toContain(words);
    for (const { since, ends } of deprecations)
      expect(ends.getTime()).toBeGreaterThanOrEqual(
        new Date(since).setUTCFullYear(since.getUTCFullYear() + 1),
      );
  });
});

const aDeprecation = (given: Partial<Deprecation>): Deprecation => ({
  id: 'old',
  routes: /^\/api\/old$/,
  what: 'GET /api/old',
  instead: 'GET /api/new',
  since: new Date('2026-01-01'),
  ends: new Date('2027-06-01'),
  ...given,
});

describe('a call that is deprecated', () => {
  const schema = {
    deprecated: true,
    querystring: Type.Object({ q: Type.Optional(Type.String({ deprecated: true })) }),
  };

  it('says so on each answer, with what ends first', async () => {
    const used: string[] = [];
    const app = Fastify();
    announceDeprecation(app, (_request, { id }) => void used.push(id), [
      aDeprecation({}),
      aDeprecation({ id: 'q', field: 'q', ends: new Date('2027-03-01') }),
    ]);
    app.get('/api/old', { schema }, async () => 'old');
    app.get('/api/new', async () => 'new');
    expect((await app.inject('/api/old')).headers.sunset).toBe('Tue, 01 Jun 2027 00:00:00 GMT');
    expect((await app.inject('/api/old?q=a')).headers.sunset).toBe('Mon, 01 Mar 2027 00:00:00 GMT');
    expect((await app.inject('/api/new?q=a')).headers.sunset).toBeUndefined();
    expect(used).toEqual(['old', 'old', 'q']);
  });

  it('cannot be added without its dates', () => {
    const app = Fastify();
    announceDeprecation(app, () => {}, [aDeprecation({ field: 'q' })]);
    expect(() => app.get('/api/old', { schema }, async () => 'old')).toThrow('the call of /api/old');
  });
});

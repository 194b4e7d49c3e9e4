import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';

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

  it('ends twelve months later at the earliest, and the guide names each', async () => {
    const guide = (await site.app.inject('/guide/versions')).body;
    for (const words of ['26 November 2026', '1 December 2027', '/api/patients/export'])
      expect(guide).toContain(words);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { liveEnv } from '../../../test/process/live-env.ts';
import { readSettings } from '../settings/index.ts';
import { securityHeaders } from './security-headers.ts';

describe('Strict-Transport-Security', () => {
  const header = (env: Record<string, string>) =>
    securityHeaders(readSettings(env))['strict-transport-security'];

  it('is for the site’s own name', () => {
    expect(header(liveEnv)).toBe('max-age=31536000');
    expect(header({ ...liveEnv, ONWARD_HSTS_SUBDOMAINS: 'false' })).toBe('max-age=31536000');
  });

  it('covers subdomains if ONWARD_HSTS_SUBDOMAINS says so', () => {
    expect(header({ ...liveEnv, ONWARD_HSTS_SUBDOMAINS: 'true' })).toBe(
      'max-age=31536000; includeSubDomains',
    );
  });

  it('is left out if the site has no https', () => {
    expect(header({ ONWARD_HSTS_SUBDOMAINS: 'true' })).toBeUndefined();
  });
});

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

describe('the id of a request', () => {
  it.each([
    '/healthz',
    '/signin',
    '/nowhere',
    '/api/referrals',
    '/api/%zz',
  ])('is the one in the problem at %s, and not the caller’s', async (url) => {
    const answer = await site.app.inject({ url, headers: { 'x-request-id': 'mine' } });
    const id = answer.headers['x-request-id'];
    expect(id).toMatch(/^[\w-]{12}-\w+$/);
    if (answer.headers['content-type']?.toString().includes('problem+json'))
      expect(answer.json().request_id).toBe(id);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { otherProcess } from '../../../test/database/other-process.ts';
import { siteActor } from '../../audit/index.ts';
import { createOriginCheck, registerReturnAddress, removeReturnAddress } from '../../tokens/index.ts';
import { declaredRoutes } from './access.ts';

let site: TestApp;
let token: string;
beforeAll(async () => {
  site = await makeApp();
  await registerReturnAddress(site.deps, siteActor, 'https://client.example/signed-in');
  await registerReturnAddress(site.deps, siteActor, 'http://localhost/signed-in');
  ({ token } = await aTokenHolder(site.deps));
});
afterAll(() => site.close());

const client = 'https://client.example';
const names = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control-'));
const call = (origin: string | undefined, more: object = {}) =>
  site.app.inject({
    url: '/api/token/status',
    ...more,
    headers: { authorization: `Bearer ${token}`, ...(origin !== undefined && { origin }) },
  });

describe('a page of a registered origin', () => {
  it('may call with a token, and read what it needs of the answer', async () => {
    for (const origin of [client, 'http://localhost:5173', 'http://localhost']) {
      const { statusCode, headers } = await call(origin);
      expect(statusCode).toBe(200);
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers.vary).toBe('Origin');
      expect(headers['access-control-expose-headers']).toContain('ETag, Location, RateLimit');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  it('may read refusals too', async () => {
    const headers = { origin: client, authorization: `Bearer ${token}` };
    const refusals = [
      await site.app.inject({ url: '/api/token/status', headers: { origin: client } }),
      await site.app.inject({ url: '/api/token/status?x=1', headers }),
      await site.app.inject({ url: '/api/referrals/0192f5c2-7d5e-7cc3-98c4-dc0c0c07398f', headers }),
      await site.app.inject({
        method: 'POST',
        url: '/api/referrals',
        headers,
        payload: aReferral('nothing'),
      }),
    ];
    expect(refusals.map(({ statusCode }) => statusCode)).toEqual([401, 400, 404, 422]);
    for (const answer of refusals) expect(answer.headers['access-control-allow-origin']).toBe(client);
  });

  it('is let in and shut out at once, by other processes too', async () => {
    const address = 'https://comes-and-goes.example/back';
    const origin = 'https://comes-and-goes.example';
    const isIn = async () => 'access-control-allow-origin' in (await call(origin)).headers;
    const other = otherProcess(site.database);
    const elsewhere = { ...site.deps, db: other.db };
    expect(await isIn()).toBe(false);
    await registerReturnAddress(site.deps, siteActor, address);
    expect(await isIn()).toBe(true);
    await removeReturnAddress(elsewhere, siteActor, address);
    await expect.poll(isIn).toBe(false);
    await registerReturnAddress(elsewhere, siteActor, address);
    await expect.poll(isIn).toBe(true);
    await other.close();
  });
});

describe('any other page', () => {
  it('gets no header, while a server’s call is answered', async () => {
    const others = [
      undefined,
      'null',
      '',
      'http://client.example',
      'https://client.example:8443',
      'https://client.example/',
      'https://CLIENT.example',
      'https://evil.example',
      'https://client.example.evil.example',
      'https://evilclient.example',
      'https://client.example, https://evil.example',
      'http://127.0.0.1:5173',
      'http://localhost:5173.evil.example',
      'http://localhost:',
      `https://${'x'.repeat(5000)}`,
    ];
    for (const origin of others) {
      const { statusCode, headers } = await call(origin);
      expect([statusCode, ...names(headers), headers.vary], origin).toEqual([200, undefined]);
      const preflight = await call(origin, { method: 'OPTIONS' });
      expect(names(preflight.headers), origin).toEqual([]);
    }
  });

  it('may not exchange a refresh token, or read pages with cookies', async () => {
    const requests = [
      { method: 'POST', url: '/api/token/refresh', payload: { refreshToken: 'x' } },
      { method: 'POST', url: '/api/token/%72efresh', payload: { refreshToken: 'x' } },
      { method: 'POST', url: '/api/docs/key' },
      { method: 'GET', url: '/apikeys' },
      { method: 'GET', url: '/signin' },
    ] as const;
    for (const request of requests) {
      const { headers } = await site.app.inject({ ...request, headers: { origin: client } });
      expect(names(headers), request.url).toEqual([]);
    }
  });

  it('is not let in to a live site from this computer', async () => {
    const allows = createOriginCheck(site.deps.db, site.deps.notices, 'live');
    expect(await allows('http://localhost:5173')).toBe(false);
  });
});

describe('a preflight', () => {
  it('is answered for every call that other pages may make', async () => {
    const routes = declaredRoutes(site.app as never).filter(({ url }) => url.startsWith('/api/'));
    const allowed = async (url: string) => {
      const answer = await site.app.inject({
        method: 'OPTIONS',
        url: `${url.replaceAll(/:\w+/g, 'anything')}?limit=1`,
        headers: { origin: client, 'access-control-request-method': 'POST' },
      });
      if (names(answer.headers).length === 0) return false;
      expect(answer.statusCode, url).toBe(204);
      expect(answer.body).toBe('');
      expect(answer.headers['access-control-allow-methods']).toContain('POST');
      expect(answer.headers['access-control-allow-headers']).toMatch(
        /^Authorization, Content-Type, Idempotency-Key, If-Match/,
      );
      expect(answer.headers['access-control-max-age']).toBe('600');
      return true;
    };
    const closed: string[] = [];
    for (const url of new Set(routes.map(({ url }) => url))) if (!(await allowed(url))) closed.push(url);
    expect(closed.sort()).toEqual(['/api/docs', '/api/docs/key', '/api/token/refresh']);
    expect(await allowed('/api/token/%72efresh')).toBe(false);
    expect(await allowed('/apilogin')).toBe(false);
  });
});

describe('an open library', () => {
  it('may be read by any page, and the rest of the API may not', async () => {
    const open = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
    try {
      const headers = { origin: 'https://anybody.example' };
      for (const url of ['/api/library', '/api/library/services', '/api/library/services/none']) {
        for (const sent of [headers, {}])
          expect((await open.app.inject({ url, headers: sent })).headers).toHaveProperty(
            'access-control-allow-origin',
            '*',
          );
        const preflight = await open.app.inject({ method: 'OPTIONS', url, headers });
        expect(preflight.headers['access-control-allow-methods'], url).toBe('GET, HEAD');
      }
      const ask = async (method: 'GET' | 'POST' | 'PUT', url: string) => {
        const asked = { ...headers, 'access-control-request-method': method };
        const preflight = await open.app.inject({
          method: 'OPTIONS',
          url: `/api/library${url}`,
          headers: asked,
        });
        const answer = await open.app.inject({ method, url: `/api/library${url}`, headers });
        return [preflight, answer].map((each) => each.headers['access-control-allow-origin']);
      };
      expect(await ask('POST', '/services/search')).toEqual(['*', '*']);
      for (const [method, url] of [
        ['PUT', '/services/none'],
        ['POST', '/services'],
        ['GET', '/lists'],
        ['GET', '/services/none/referral_settings'],
      ] as const)
        expect(await ask(method, url), url).toEqual([undefined, undefined]);
      expect(names((await open.app.inject({ url: '/api/token/status', headers })).headers)).toEqual([]);
    } finally {
      await open.close();
    }
  });
});

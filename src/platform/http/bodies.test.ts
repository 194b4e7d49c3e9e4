import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { isNestedTooDeeply } from './create-app.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const nested = `{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;

describe('a page', () => {
  it('takes forms and no JSON', async () => {
    const origin = site.deps.settings.baseUrl;
    for (const url of [
      '/signin',
      '/reset-password',
      '/account/name',
      '/operator/return-addresses',
      '/apikeys/limits',
    ]) {
      for (const payload of ['{"x":{"toString":1}}', nested]) {
        const headers = { origin, 'content-type': 'application/json' };
        const answer = await site.app.inject({ method: 'POST', url, payload, headers });
        expect(answer.statusCode, url).toBe(415);
      }
    }
  });

  it('does not give back a form with more fields than any page has', async () => {
    const headers = {
      origin: site.deps.settings.baseUrl,
      'content-type': 'application/x-www-form-urlencoded',
    };
    const send = (fields: number) =>
      site.app.inject({ method: 'POST', url: '/apikeys/regenerate', payload: 'a&'.repeat(fields), headers });
    const few = await send(1000);
    expect(few.statusCode).toBe(401);
    const many = await send(500_000);
    expect([many.statusCode, many.body.length < 10_000]).toEqual([413, true]);
  });
});

describe('the API', () => {
  it('refuses JSON that is nested too deeply before it is checked', async () => {
    const { headers } = await aTokenHolder(site.deps);
    const json = { 'content-type': 'application/json' };
    for (const request of [
      { url: '/api/referrals', headers: { ...headers, ...json } },
      { url: '/api/token/refresh', headers: json },
      { url: '/signin/passkey', headers: { ...json, origin: site.deps.settings.baseUrl } },
    ]) {
      const answer = await site.app.inject({ method: 'POST', payload: nested, ...request });
      expect(answer.statusCode, request.url).toBe(400);
    }
    expect(site.logLines.join()).not.toContain('request failed');
  });

  it('takes no form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await site.app.inject({
      method: 'POST',
      url: '/api/token/refresh',
      payload: 'refreshToken=x',
      headers,
    });
    expect(answer.statusCode).toBe(415);
  });

  it('logs no failure for a request that is interrupted', async () => {
    const address = new URL(await site.app.listen({ port: 0, host: '127.0.0.1' }));
    const before = site.logLines.length;
    const socket = connect(Number(address.port), '127.0.0.1');
    const head = 'POST /api/token/refresh HTTP/1.1\r\nHost: x\r\nContent-Type: application/json';
    const [arrived] = await Promise.all([
      once(site.app.server, 'request'),
      new Promise((sent) => socket.write(`${head}\r\nContent-Length: 100\r\n\r\n{"refreshToken":`, sent)),
    ]);
    const gone = new Promise((closed) => arrived[0].on('close', closed));
    socket.destroy();
    await gone;
    expect((await fetch(new URL('/healthz', address))).status).toBe(200);
    expect(site.logLines.slice(before).join('')).not.toContain('request failed');
  });
});

describe('the depth of JSON', () => {
  it('passes below the limit, with brackets in texts too', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
        expect(isNestedTooDeeply(JSON.stringify(value))).toBe(false);
      }),
    );
    expect(isNestedTooDeeply(JSON.stringify('['.repeat(1000)))).toBe(false);
    expect(isNestedTooDeeply(JSON.stringify(`\\"${'{'.repeat(1000)}`))).toBe(false);
  });

  it('is exceeded by a text of brackets, closed or not', () => {
    expect(isNestedTooDeeply(`${'['.repeat(50)}${']'.repeat(50)}`)).toBe(false);
    expect(isNestedTooDeeply(`${'['.repeat(51)}${']'.repeat(51)}`)).toBe(true);
    expect(isNestedTooDeeply('{"a":'.repeat(20_000))).toBe(true);
  });
});

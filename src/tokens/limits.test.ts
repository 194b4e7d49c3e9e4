import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../test/app/builders.ts';
import { refreshTokenOf } from '../../test/app/keys.ts';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';
import { newToken } from './model/token.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({
    env: {
      ONWARD_CALLS_PER_MINUTE_OF_ACCOUNT: '10',
      ONWARD_CALLS_PER_MINUTE_OF_NETWORK: '20',
      ONWARD_LIBRARY_PUBLIC: 'true',
    },
  });
});
afterAll(() => site.close());

let networks = 0;
const aNetwork = () => `192.0.2.${++networks}`;
const status = (token: string, remoteAddress: string) =>
  site.app.inject({ url: '/api/token/status', headers: { authorization: `Bearer ${token}` }, remoteAddress });
const refresh = (refreshToken: string, remoteAddress: string) =>
  site.app.inject({ method: 'POST', url: '/api/token/refresh', payload: { refreshToken }, remoteAddress });

/** Makes calls one after the other. @returns the different answers, in the order in which they first came. */
async function codesOf(count: number, call: () => Promise<{ statusCode: number }>): Promise<number[]> {
  const codes = new Set<number>();
  for (let times = 0; times < count; times += 1) codes.add((await call()).statusCode);
  return [...codes];
}

describe('rate limits', () => {
  it('stop somebody who guesses tokens, but nobody else', async () => {
    const holder = await aTokenHolder(site.deps);
    const guesser = aNetwork();
    const guess = () => status(newToken('access', site.deps.tokenServices.tag), guesser);
    expect(await codesOf(20, guess)).toEqual([401]);
    const refused = await guess();
    expect(refused.statusCode).toBe(429);
    expect(refused.json().type).toBe('http://localhost:8080/problems/too-many-requests');
    expect(refused.headers['www-authenticate']).toBeUndefined();
    const answer = await status(holder.token, aNetwork());
    expect([answer.statusCode, answer.headers.ratelimit]).toEqual([200, '"account";r=9;t=60']);
  });

  it('count refreshes for the network and not for the account', async () => {
    const holder = await aTokenHolder(site.deps);
    const refreshToken = await refreshTokenOf(site.deps, holder.id);
    const network = aNetwork();
    const first = await refresh(refreshToken, network);
    expect(first.headers.ratelimit).toBe('"network";r=19;t=60');
    expect(await codesOf(20, () => refresh(refreshToken, network))).toEqual([200, 429]);
    expect((await refresh(refreshToken, aNetwork())).statusCode).toBe(200);
    expect((await status(holder.token, aNetwork())).headers.ratelimit).toBe('"account";r=9;t=60');
  });

  it('count an account once, for all its tokens and networks', async () => {
    const holder = await aTokenHolder(site.deps);
    const refreshToken = await refreshTokenOf(site.deps, holder.id);
    const { access_token: another } = (await refresh(refreshToken, aNetwork())).json();
    expect(await codesOf(5, () => status(holder.token, aNetwork()))).toEqual([200]);
    expect(await codesOf(6, () => status(another, aNetwork()))).toEqual([200, 429]);
    site.clock.moveOn(60_000);
    expect((await status(holder.token, aNetwork())).statusCode).toBe(200);
  });

  it('count readers of an open library by network', async () => {
    const remoteAddress = aNetwork();
    const read = () => site.app.inject({ url: '/api/library/services', remoteAddress });
    expect((await read()).headers.ratelimit).toBe('"network";r=19;t=60');
    expect(await codesOf(20, read)).toEqual([200, 429]);
  });
});

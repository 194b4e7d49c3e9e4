import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { aTokenHolder } from '../../test/app/builders.ts';
import { callerFor, refreshTokenOf } from '../../test/app/keys.ts';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';
import { until } from '../../test/app/until.ts';
import { timeOf } from '../../test/database/database-time.ts';
import { keptConnection } from '../../test/network/kept-connection.ts';
import { sendRaw } from '../../test/network/send-raw.ts';
import { signedInBrowser } from '../../test/people/signed-in-browser.ts';
import { startDatabaseClock } from '../platform/clock/database-clock.ts';
import { storeNewAccessToken } from './model/access-tokens.ts';
import { newToken } from './model/token.ts';
import { regenerateFirstPair } from './refresh-tokens/first-pair.ts';

let site: TestApp;
let port: number;
beforeAll(async () => {
  site = await makeApp();
  await site.app.listen({ port: 0, host: '127.0.0.1' });
  port = (site.app.server.address() as { port: number }).port;
});
afterAll(() => site.close());
afterEach(() => vi.restoreAllMocks());

const path = '/api/token/status';
const status = async (token: string) => (await sendRaw(port, path, `Authorization: Bearer ${token}`)).status;
const refresh = (refreshToken: string) =>
  site.app.inject({ method: 'POST', url: '/api/token/refresh', payload: { refreshToken } });

describe('a refresh', () => {
  it('refuses a token of a megabyte before hashing it', async () => {
    expect((await refresh('a'.repeat(1024 * 1024))).statusCode).toBe(413);
    const { statusCode, body } = await refresh(`onr_${'a'.repeat(500_000)}`);
    expect(statusCode).toBe(400);
    expect(body.length).toBeLessThan(1000);
  });

  it('gives no token that outlives new keys made at the same time', async () => {
    const holder = await aTokenHolder(site.deps);
    const refreshToken = await refreshTokenOf(site.deps, holder.id);
    const caller = await callerFor(site.deps, holder.id);
    const racers = Array.from({ length: 100 }, () => refresh(refreshToken));
    await Promise.race(racers);
    await regenerateFirstPair(site.deps, caller, '127.0.0.1');
    const answers = await Promise.all(racers);
    const outcomes = new Set(answers.map(({ statusCode }) => statusCode));
    expect([...outcomes].every((code) => code === 200 || code === 401)).toBe(true);
    const tokens = answers.flatMap((answer) => answer.json().access_token ?? []);
    expect(tokens.length).toBeGreaterThan(0);
    for (const token of [...tokens, holder.token]) {
      const answer = await site.app.inject({
        url: '/api/token/status',
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.statusCode).toBe(401);
    }
    expect((await refresh(refreshToken)).statusCode).toBe(401);
  });

  it('uses the database’s time when the machine’s clock is wrong', async () => {
    const { id } = await aTokenHolder(site.deps);
    const rightNow = Date.now.bind(Date);
    vi.spyOn(Date, 'now').mockImplementation(() => rightNow() + 5 * 60_000);
    const clock = await startDatabaseClock(site.deps.db);
    try {
      const token = await storeNewAccessToken({ ...site.deps, clock }, id, 'apikeys');
      const now = await timeOf(site.deps.db);
      expect(Math.abs(token.issuedAt.getTime() - now.getTime())).toBeLessThan(5000);
      expect(token.validTo.getTime() - token.issuedAt.getTime()).toBe(180 * 60_000);
    } finally {
      clock.stop();
    }
  });
});

describe('the Authorization header', () => {
  it('is read strictly, and a very long one does no harm', async () => {
    const { token } = await aTokenHolder(site.deps);
    const cases: [string, string[], number][] = [
      ['as it should be', [`Authorization: Bearer ${token}`], 200],
      ['a name in other letters', [`aUTHORIZATION: bEARER ${token}`], 200],
      ['doubled spaces', [`Authorization:   bearer   ${token}  `], 200],
      ['a tab', [`Authorization: Bearer\t${token}`], 401],
      ['no space', [`Authorization: Bearer${token}`], 401],
      ['two headers', [`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`], 400],
      ['two headers of two schemes', ['Authorization: Basic eDp4', `authorization: Bearer ${token}`], 400],
      ['two in one', [`Authorization: Bearer ${token}, Bearer ${token}`], 401],
      ['a letter more', [`Authorization: Bearer ${token}a`], 401],
      ['in quotes', [`Authorization: Bearer "${token}"`], 401],
      ['8 KB', [`Authorization: Bearer ${'a'.repeat(8192)}`], 401],
      ['8 KB of spaces', [`Authorization: Bearer ${' '.repeat(8192)}x`], 401],
      ['more than a header may be', [`Authorization: Bearer ${'a'.repeat(40_000)}`], 431],
      ['in a cookie', [`Cookie: access_token=${token}`], 401],
    ];
    for (const [name, lines, expected] of cases) {
      const { status: code, answer } = await sendRaw(port, path, ...lines);
      expect(code, name).toBe(expected);
      expect(answer, name).not.toContain(token);
      if (code >= 400) expect(answer, name).toContain('content-type: application/problem+json');
    }
    expect(await status(token), 'after all of them').toBe(200);
  });

  it('is the only place for a token: no session, no body', async () => {
    const { token } = await aTokenHolder(site.deps);
    const browser = await signedInBrowser(site);
    expect((await browser.open('/api/token/status')).status).toBe(401);
    const payload = { access_token: token };
    const answer = await site.app.inject({ method: 'POST', url: '/api/referrals', payload });
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Bearer realm="onward"']);
  });

  it('is ignored by a refresh', async () => {
    const holder = await aTokenHolder(site.deps);
    const refreshToken = await refreshTokenOf(site.deps, holder.id);
    const body = JSON.stringify({ refreshToken });
    for (const authorization of [
      `Bearer ${holder.token}`,
      `Bearer ${newToken('access', 'AAAAAA')}`,
      'Basic eDp4',
      '',
    ]) {
      const { statusCode } = await site.app.inject({
        method: 'POST',
        url: '/api/token/refresh',
        payload: body,
        headers: { authorization, 'content-type': 'application/json' },
      });
      expect(statusCode, authorization).toBe(200);
    }
    const answer = await site.app.inject({
      method: 'POST',
      url: '/api/token/refresh',
      payload: {},
      headers: { authorization: `Bearer ${refreshToken}` },
    });
    expect(answer.statusCode, 'nor is it taken from there').toBe(400);
  });

  it('is checked again for each call on one connection', async () => {
    const [one, other] = [await aTokenHolder(site.deps), await aTokenHolder(site.deps)];
    const connection = keptConnection(`http://127.0.0.1:${port}`);
    const call = (token: string) => connection.get(path, { authorization: `Bearer ${token}` });
    const unknown = newToken('access', site.deps.tokenServices.tag);
    const cases: [string, string | undefined][] = [
      [one.token, one.id],
      [one.token, one.id],
      [other.token, other.id],
      [unknown, undefined],
      [unknown, undefined],
      [`${one.token}a`, undefined],
      [one.token, one.id],
    ];
    for (const [index, [token, id]] of cases.entries()) {
      const { status: code, body, reused } = await call(token);
      expect([code, body.account?.id], `call ${index}`).toEqual([id ? 200 : 401, id]);
      expect(reused).toBe(index > 0);
    }
    await regenerateFirstPair(site.deps, await callerFor(site.deps, one.id), '127.0.0.1');
    await until(async () => (await call(one.token)).status === 401);
    site.clock.moveOn(180 * 60_000);
    expect((await call(other.token)).body.detail).toContain('expired');
    connection.end();
  });
});

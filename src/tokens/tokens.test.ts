import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount, aTokenHolder, testPassword } from '../../test/app/builders.ts';
import { callerFor, refreshTokenOf } from '../../test/app/keys.ts';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';
import { textOfTable } from '../../test/database/stored.ts';
import { disableAccount, resetPassword, setApiAccess } from '../accounts/index.ts';
import { siteActor } from '../audit/index.ts';
import { createSecrets } from '../platform/secrets/index.ts';
import { findAccessTokens } from './model/access-tokens-store.ts';
import { newToken } from './model/token.ts';
import { createTokenServices } from './model/token-services.ts';
import { regenerateFirstPair } from './refresh-tokens/first-pair.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const minute = 60_000;
const status = (token: string, more: object = {}) =>
  site.app.inject({ url: '/api/token/status', headers: { authorization: `Bearer ${token}` }, ...more });
const refresh = (payload: unknown, headers: Record<string, string> = {}) =>
  site.app.inject({ method: 'POST', url: '/api/token/refresh', payload: payload as object, headers });

describe('an access token', () => {
  it('works for exactly 180 minutes', async () => {
    const { token } = await aTokenHolder(site.deps);
    site.clock.moveOn(180 * minute - 1);
    expect((await status(token)).statusCode).toBe(200);
    site.clock.moveOn(1);
    const answer = await status(token);
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="onward", error="invalid_token"');
    expect(answer.json().detail).toContain('expired');
  });

  it('is refused with a reason that repeats nothing of it', async () => {
    const { token } = await aTokenHolder(site.deps);
    const other = newToken('access', 'AAAAAA');
    const cases: [string, object, number, string][] = [
      ['no header', { headers: {} }, 401, 'missing-token'],
      ['another site’s', { headers: { authorization: `Bearer ${other}` } }, 401, 'invalid-token'],
      ['another scheme', { headers: { authorization: 'Basic abc' } }, 401, 'invalid-token'],
      ['nothing after the scheme', { headers: { authorization: 'Bearer' } }, 401, 'invalid-token'],
      ['two tokens', { headers: { authorization: `Bearer ${token} ${token}` } }, 401, 'invalid-token'],
      ['8 KB', { headers: { authorization: `Bearer ${'a'.repeat(8000)}` } }, 401, 'invalid-token'],
      [
        'in the address',
        { headers: {}, url: `/api/token/status?access_token=${token}` },
        401,
        'invalid-token',
      ],
      ['in both', { url: `/api/token/status?access_token=${token}` }, 400, 'invalid-token-request'],
    ];
    for (const [name, more, code, type] of cases) {
      const answer = await status(token, more);
      expect(answer.statusCode, name).toBe(code);
      expect(answer.json().type, name).toBe(`http://localhost:8080/problems/${type}`);
      expect(answer.body, name).not.toContain(token);
      expect(answer.body, name).not.toContain('aaaa');
    }
    expect((await status(token, { headers: { authorization: `bearer  ${token}` } })).statusCode).toBe(200);
  });

  it('ends with new keys, API access, the account or its password', async () => {
    const { deps } = site;
    const endings: [string, (account: { id: string; email: string }) => Promise<void>][] = [
      ['new keys', async ({ id }) => regenerateFirstPair(deps, await callerFor(deps, id), '127.0.0.1')],
      ['API access off', ({ email }) => setApiAccess(deps, siteActor, email, { isAllowed: false })],
      ['disabled', ({ email }) => disableAccount(deps, siteActor, email)],
      ['new password', ({ email }) => resetPassword(deps, siteActor, email, 'another long password')],
    ];
    for (const [name, end] of endings) {
      const holder = await aTokenHolder(deps);
      expect((await status(holder.token)).statusCode, name).toBe(200);
      await end(holder);
      await expect.poll(async () => (await status(holder.token)).statusCode, { message: name }).toBe(401);
    }
  });
});

describe('a refresh token', () => {
  it('and an access token are not accepted for each other', async () => {
    const holder = await aTokenHolder(site.deps);
    const refreshToken = await refreshTokenOf(site.deps, holder.id);
    expect((await status(refreshToken)).json().detail).toContain('refresh token');
    const answer = await refresh({ refreshToken: holder.token });
    expect(answer.statusCode).toBe(401);
    expect(answer.json().type).toContain('invalid-refresh-token');
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="onward"');
  });

  it('may be sent with the white space that came with it', async () => {
    const holder = await aTokenHolder(site.deps);
    const refreshToken = await refreshTokenOf(site.deps, holder.id);
    const answer = await refresh({ refreshToken: `\t ${refreshToken}\r\n` });
    expect(answer.json()).toMatchObject({ result: 'OK', refresh_token: refreshToken });
  });

  it('stays the same; two hundred refreshes at once all work', async () => {
    const holder = await aTokenHolder(site.deps);
    const refreshToken = await refreshTokenOf(site.deps, holder.id);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => refresh({ refreshToken }, { authorization: 'Bearer rubbish' })),
    );
    expect(
      answers.every((answer) => answer.statusCode === 200 && answer.json().refresh_token === refreshToken),
    ).toBe(true);
    const tokens = new Set(answers.map((answer) => answer.json().access_token as string));
    expect(tokens.size).toBe(200);
    for (const token of tokens) expect((await status(token)).statusCode).toBe(200);
    expect(answers[0]!.headers['cache-control']).toBe('no-store');
  });

  it('is refused with the field and the reason when malformed', async () => {
    const pointers = async (payload: unknown) =>
      (await refresh(payload)).json().errors.map((each: { pointer: string }) => each.pointer);
    expect(await pointers({})).toEqual(['/refreshToken']);
    expect(await pointers({ refreshToken: 7 })).toEqual(['/refreshToken']);
    expect(await pointers({ refreshToken: null })).toEqual(['/refreshToken']);
    expect(await pointers({ refreshToken: 'x', more: 1 })).toEqual(['/more']);
    const json = { 'content-type': 'application/json' };
    expect((await refresh('{', json)).statusCode).toBe(400);
    expect((await refresh('', json)).statusCode).toBe(400);
    expect((await refresh('[]', json)).statusCode).toBe(400);
    expect((await refresh('x=1', { 'content-type': 'text/plain' })).statusCode).toBe(415);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await refresh('refreshToken=x', form)).statusCode).toBe(415);
    expect((await refresh({ refreshToken: 'a'.repeat(2_000_000) })).statusCode).toBe(413);
  });

  it('is the same after API access was off and on again', async () => {
    const holder = await aTokenHolder(site.deps);
    const refreshToken = await refreshTokenOf(site.deps, holder.id);
    await setApiAccess(site.deps, siteActor, holder.email, { isAllowed: false });
    const refused = await refresh({ refreshToken });
    expect(refused.statusCode).toBe(403);
    expect(refused.json().type).toContain('api-access-disabled');
    await setApiAccess(site.deps, siteActor, holder.email, { isAllowed: true });
    expect((await refresh({ refreshToken })).statusCode).toBe(200);
    await regenerateFirstPair(site.deps, await callerFor(site.deps, holder.id), '127.0.0.1');
    expect((await refresh({ refreshToken })).json().type).toContain('invalid-refresh-token');
  });
});

describe('keys', () => {
  it('do not work in a copy of the database under another site key', async () => {
    const holder = await aTokenHolder(site.deps);
    const secrets = createSecrets(randomBytes(32));
    const clone = { ...site.deps, secrets };
    const { tag } = createTokenServices(clone, site.deps.notices);
    expect(tag).not.toBe(site.deps.tokenServices.tag);
    const hash = secrets.hashText('access token', holder.token);
    expect(await findAccessTokens(site.deps.db, [hash])).toEqual(new Map());
  });

  it('are shown to their holder, but not without API access', async () => {
    const holder = await anAccount(site.deps);
    const without = await anAccount(site.deps, { hasApiAccess: false });
    const page = async (email: string) => {
      const form = new URLSearchParams({ email, password: testPassword }).toString();
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      };
      const signedIn = await site.app.inject({ method: 'POST', url: '/signin', payload: form, headers });
      const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!;
      return site.app.inject({ url: '/apikeys', headers: { cookie } });
    };
    const shown = await page(holder.email);
    const [access] = /ona_\w+/.exec(shown.body)!;
    const [refreshToken] = /onr_\w+/.exec(shown.body)!;
    expect((await status(access)).json().token.source).toBe('apikeys');
    expect((await refresh({ refreshToken })).statusCode).toBe(200);
    const refused = await page(without.email);
    expect(refused.body).toContain('API access is not enabled');
    expect(refused.body).not.toMatch(/on[ar]_/);
  });

  it('are neither in the database nor in the log', async () => {
    const holder = await aTokenHolder(site.deps);
    const refreshToken = await refreshTokenOf(site.deps, holder.id);
    await status(holder.token);
    const tables = ['access_tokens', 'refresh_tokens', 'audit_entries'] as const;
    const stored = (await Promise.all(tables.map((table) => textOfTable(site.deps.db, table)))).join();
    for (const secret of [holder.token, refreshToken]) {
      expect(stored).not.toContain(secret);
      expect(site.logLines.join()).not.toContain(secret);
    }
  });
});

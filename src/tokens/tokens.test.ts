import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anAccount, aTokenHolder, testPassword } from '../../test/app/builders.ts';
import { callerFor, keysOf } from '../../test/app/keys.ts';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';
import { resetPassword, setApiAccess, setDisabled, theSite } from '../accounts/index.ts';
import { createSecrets } from '../platform/secrets/index.ts';
import { regenerateKeys } from './keys/refresh-token.ts';
import { newToken } from './model/token.ts';
import { createTokenDesk } from './model/token-desk.ts';

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

test('an access token works for 180 minutes, to the moment', async () => {
  const { token } = await aTokenHolder(site.deps);
  site.clock.moveOn(180 * minute - 1);
  expect((await status(token)).statusCode).toBe(200);
  site.clock.moveOn(1);
  const answer = await status(token);
  expect(answer.statusCode).toBe(401);
  expect(answer.headers['www-authenticate']).toBe('Bearer realm="onward", error="invalid_token"');
  expect(answer.json().detail).toContain('expired');
});

test('who may not call is told why, without an echo of what was sent', async () => {
  const { token } = await aTokenHolder(site.deps);
  const other = newToken('access', 'AAAAAA');
  const cases: [string, object, number, string][] = [
    ['no header', { headers: {} }, 401, 'missing-token'],
    ['another site’s', { headers: { authorization: `Bearer ${other}` } }, 401, 'invalid-token'],
    ['another scheme', { headers: { authorization: 'Basic abc' } }, 401, 'invalid-token'],
    ['nothing after the scheme', { headers: { authorization: 'Bearer' } }, 401, 'invalid-token'],
    ['two tokens', { headers: { authorization: `Bearer ${token} ${token}` } }, 401, 'invalid-token'],
    ['8 KB', { headers: { authorization: `Bearer ${'a'.repeat(8000)}` } }, 401, 'invalid-token'],
    ['in the address', { headers: {}, url: `/api/token/status?access_token=${token}` }, 401, 'invalid-token'],
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

test('a refresh token is no access token, and an access token no refresh token', async () => {
  const holder = await aTokenHolder(site.deps);
  const { refreshToken } = await keysOf(site.deps, holder.id);
  expect((await status(refreshToken)).json().detail).toContain('refresh token');
  const answer = await refresh({ refreshToken: holder.token });
  expect(answer.statusCode).toBe(401);
  expect(answer.json().type).toContain('invalid-refresh-token');
});

test('a refresh leaves the refresh token as it is; two hundred at once give two hundred that work', async () => {
  const holder = await aTokenHolder(site.deps);
  const { refreshToken } = await keysOf(site.deps, holder.id);
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

test('a refresh request of the wrong form is refused with the place and the reason', async () => {
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

test('new keys, API access off, a disabled account and a new password each end every access token at once', async () => {
  const { deps } = site;
  const endings: [string, (account: { id: string; email: string }) => Promise<void>][] = [
    ['new keys', async ({ id }) => regenerateKeys(deps, await callerFor(deps, id), '127.0.0.1')],
    ['API access off', ({ email }) => setApiAccess(deps, theSite, email, false)],
    ['disabled', ({ email }) => setDisabled(deps, theSite, email, true)],
    ['new password', ({ email }) => resetPassword(deps, theSite, email, 'another long password')],
  ];
  for (const [name, end] of endings) {
    const holder = await aTokenHolder(deps);
    expect((await status(holder.token)).statusCode, name).toBe(200);
    await end(holder);
    await expect.poll(async () => (await status(holder.token)).statusCode, { message: name }).toBe(401);
  }
});

test('API access off and on again: the refresh token is the same, and refused meanwhile with a 403', async () => {
  const holder = await aTokenHolder(site.deps);
  const { refreshToken } = await keysOf(site.deps, holder.id);
  await setApiAccess(site.deps, theSite, holder.email, false);
  const refused = await refresh({ refreshToken });
  expect(refused.statusCode).toBe(403);
  expect(refused.json().type).toContain('api-access-disabled');
  await setApiAccess(site.deps, theSite, holder.email, true);
  expect((await refresh({ refreshToken })).statusCode).toBe(200);
  await regenerateKeys(site.deps, await callerFor(site.deps, holder.id), '127.0.0.1');
  expect((await refresh({ refreshToken })).json().type).toContain('invalid-refresh-token');
});

test('a copy of the database under another site key honours no key of the first', async () => {
  const holder = await aTokenHolder(site.deps);
  const secrets = createSecrets(randomBytes(32));
  const clone = { ...site.deps, secrets };
  const { tag } = createTokenDesk(clone, site.deps.notices);
  expect(tag).not.toBe(site.deps.tokenDesk.tag);
  const { rows } =
    await sql`select 1 from access_tokens where hash = ${secrets.hash('access token', holder.token)}`.execute(
      site.deps.db,
    );
  expect(rows).toEqual([]);
});

test('the keys page shows both keys to their holder, and to nobody without API access', async () => {
  const holder = await anAccount(site.deps);
  const without = await anAccount(site.deps, { apiAccess: false });
  const page = async (email: string) => {
    const form = new URLSearchParams({ email, password: testPassword }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
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

test('neither the database nor the log holds a key', async () => {
  const holder = await aTokenHolder(site.deps);
  const { refreshToken } = await keysOf(site.deps, holder.id);
  await status(holder.token);
  const { rows } = await sql<{ everything: string }>`
    select string_agg(t::text, ' ') as everything from (
      select to_jsonb(a) as t from access_tokens a union all select to_jsonb(r) from refresh_tokens r
      union all select to_jsonb(e) from audit_entries e) as all_rows`.execute(site.deps.db);
  for (const secret of [holder.token, refreshToken]) {
    expect(rows[0]!.everything).not.toContain(secret);
    expect(rows[0]!.everything).not.toContain(Buffer.from(secret).toString('hex'));
    expect(site.logLines.join()).not.toContain(secret);
  }
});

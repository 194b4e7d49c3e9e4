import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { callerFor, refreshTokenOf } from '../../../test/app/keys.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { refusalOf } from '../../../test/people/invitations.ts';
import { sendQueuedMails } from '../../../test/people/mail-fixture.ts';
import { aKeyHolder, aNamedKey, statusCalls } from '../../../test/people/named-keys.ts';
import { disableAccount, enableAccount, resetPassword, setApiAccess } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import { listCapturedMails } from '../../platform/mail/index.ts';
import { storeNewAccessToken } from '../model/access-tokens.ts';
import { regenerateFirstPair } from '../refresh-tokens/first-pair.ts';
import {
  changeNamedKey,
  createNamedKey,
  endOverlap,
  readKeySettings,
  regenerateNamedKey,
  revokeNamedKey,
  scopesFor,
} from './named-keys.ts';
import { findNamedKey, listNamedKeys } from './named-keys-store.ts';

let site: TestApp;
let calls: ReturnType<typeof statusCalls>;
beforeAll(async () => {
  site = await makeApp();
  calls = statusCalls(site);
});
afterAll(() => site.close());

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const keyNow = async (accountId: string, id: string) =>
  (await findNamedKey(site.deps.db, accountId, id, site.clock.now()))!;

describe('a named key', () => {
  it('gives access tokens whose status says its name and scopes', async () => {
    const { id, key } = await aKeyHolder(
      site,
      {},
      { name: 'Night import', scopes: ['library:read', 'webhooks'] },
    );
    const answer = await key.refresh();
    expect(answer.json()).toEqual({
      result: 'OK',
      access_token: expect.stringMatching(/^ona_/),
      refresh_token: key.refreshToken,
      valid_to: new Date(site.clock.now().getTime() + 180 * minute).toISOString(),
    });
    expect((await calls.status(answer.json().access_token)).json()).toMatchObject({
      account: { id },
      token: { source: 'refresh', key: 'Night import', scopes: ['library:read', 'webhooks'] },
    });
    const first = await storeNewAccessToken(site.deps, id, 'apikeys');
    const { token } = (await calls.status(first.text)).json();
    expect(token.key).toBeNull();
    expect(token.scopes).toEqual(expect.arrayContaining(['referrals:write', 'records', 'library:read']));
    for (const ofOthers of ['channels', 'deliveries', 'reports:read'])
      expect(token.scopes).not.toContain(ofOthers);
  });

  it('opens no page, and gets no wider scope by a refresh', async () => {
    const { key } = await aKeyHolder(site);
    const access = await key.accessToken();
    // A token opens no page, and a refresh does not listen to a bearer header or to a wish for scopes.
    for (const url of ['/apikeys', '/apilogin?returnUrl=https%3A%2F%2Fclient.example.org%2F'])
      expect(
        (await site.app.inject({ url, headers: { authorization: `Bearer ${access}` } })).body,
      ).not.toMatch(/on[ar]_/);
    const wishes = { refreshToken: key.refreshToken, scope: 'referrals:write' };
    const refused = await site.app.inject({ method: 'POST', url: '/api/token/refresh', payload: wishes });
    expect(refused.statusCode).toBe(400);
    const again = (await key.refresh()).json().access_token;
    expect((await calls.status(again)).json().token.scopes).toEqual(['referrals:read']);
  });

  it('gains and loses scopes at once, with its access tokens', async () => {
    const { key } = await aKeyHolder(site, { role: 'referrer' });
    const access = await key.accessToken();
    const list = async () =>
      (await site.app.inject({ url: '/api/webhooks', headers: { authorization: `Bearer ${access}` } }))
        .statusCode;
    expect(await list()).toBe(403);
    await changeNamedKey(site.deps, key.change, key.id, { ...key.settings, scopes: ['webhooks'] });
    await until(async () => (await list()) === 200);
    await changeNamedKey(site.deps, key.change, key.id, key.settings);
    await until(async () => (await list()) === 403);
  });

  it('keeps working when another one is replaced', async () => {
    const { id, key } = await aKeyHolder(site);
    const other = await aNamedKey(site, id);
    const refreshToken = await refreshTokenOf(site.deps, id);
    const first = { text: (await storeNewAccessToken(site.deps, id, 'apikeys')).text };
    const [own, others] = [await key.accessToken(), await other.accessToken()];
    await regenerateNamedKey(site.deps, key.change, key.id, { seenVersion: 1, hours: 0 });
    await calls.hasEnded(own);
    expect((await key.refresh()).statusCode).toBe(401);
    for (const token of [first.text, others]) expect(await calls.codeOf(token)).toBe(200);
    expect((await key.refresh(refreshToken)).statusCode).toBe(200);
    await regenerateFirstPair(site.deps, await callerFor(site.deps, id), '127.0.0.1');
    await calls.hasEnded(first.text);
    expect((await key.refresh(refreshToken)).statusCode).toBe(401);
    expect(await calls.codeOf(others)).toBe(200);
    expect((await other.refresh()).statusCode).toBe(200);
  });

  it('ends for good with the account, API access or password', async () => {
    const { deps } = site;
    const endings: [string, (email: string, on: boolean) => Promise<void>][] = [
      ['disabled', (email, on) => (on ? enableAccount : disableAccount)(deps, siteActor, email)],
      ['API access off', (email, on) => setApiAccess(deps, siteActor, email, { isAllowed: on })],
      [
        'new password',
        async (email, on) => (on ? undefined : resetPassword(deps, siteActor, email, 'another long one')),
      ],
    ];
    for (const [name, set] of endings) {
      const { email, key } = await aKeyHolder(site);
      const access = await key.accessToken();
      expect(await calls.codeOf(access), name).toBe(200);
      await set(email, false);
      await calls.hasEnded(access);
      await set(email, true);
      expect((await key.refresh()).statusCode, name).toBe(200);
      expect(await calls.codeOf(access), name).toBe(401);
    }
  });

  it('has its own IP addresses, also for its access tokens', async () => {
    const { id, key } = await aKeyHolder(site, {}, { networks: ['192.0.2.0/24'] });
    const other = await aNamedKey(site, id, { networks: ['198.51.100.0/24'] });
    const access = await key.accessToken();
    const outside = '198.51.100.1';
    expect([await calls.codeOf(access), await calls.codeOf(access, outside)]).toEqual([200, 403]);
    const codes = async (each: typeof key) =>
      Promise.all(
        ['192.0.2.9', outside].map(async (from) => (await each.refresh(each.refreshToken, from)).statusCode),
      );
    expect(await codes(key)).toEqual([200, 403]);
    expect(await codes(other)).toEqual([403, 200]);
    const refreshToken = await refreshTokenOf(site.deps, id);
    expect((await key.refresh(refreshToken, '203.0.113.1')).statusCode).toBe(200);
  });

  it('has its own idle limit', async () => {
    const { id, key } = await aKeyHolder(site, {}, { idleDays: 7 });
    const other = await aNamedKey(site, id);
    site.clock.moveOn(7 * day);
    expect([(await key.refresh()).statusCode, (await other.refresh()).statusCode]).toEqual([401, 200]);
    expect((await keyNow(id, key.id)).isIdle).toBe(true);
  });

  it('cannot be changed by another account', async () => {
    const { key } = await aKeyHolder(site);
    const stranger = (await aKeyHolder(site)).key;
    const theirs = stranger.change;
    for (const attempt of [
      () => changeNamedKey(site.deps, theirs, key.id, key.settings),
      () => regenerateNamedKey(site.deps, theirs, key.id, { seenVersion: 1, hours: 0 }),
      () => endOverlap(site.deps, theirs, key.id),
      () => revokeNamedKey(site.deps, theirs, key.id),
      () => revokeNamedKey(site.deps, theirs, 'not an id'),
    ])
      expect(await refusalOf(attempt())).toBe('not-found');
    expect((await key.refresh()).statusCode).toBe(200);
  });

  it('tells its holder by name of its use at a new IP address', async () => {
    const { email, key } = await aKeyHolder(site, {}, { name: 'Night import' });
    await key.refresh();
    await key.refresh();
    await sendQueuedMails(site.deps);
    const mails = await listCapturedMails(site.deps, { address: email }, { before: undefined, limit: 10 });
    expect(mails.map(({ subject }) => subject)).toEqual([
      'The refresh token of your key “Night import” was used from a new IP address – Onward test site',
    ]);
    expect(mails[0]!.text).toContain(`http://localhost:8080/apikeys/keys/${key.id}`);
    expect(mails[0]!.text).not.toContain('onr_');
  });

  it('is named in the audit of what is done with it', async () => {
    const { id, key } = await aKeyHolder(
      site,
      { role: 'referrer' },
      { name: 'Night import', scopes: ['webhooks'] },
    );
    const headers = { authorization: `Bearer ${await key.accessToken()}` };
    const payload = { url: 'https://client.example.org/', event_types: ['*'] };
    await site.app.inject({ method: 'POST', url: '/api/webhooks', headers, payload });
    await site.app.inject({ url: '/api/referrals', headers });
    const entries = await storedEntries(site.deps.db, { actorId: id });
    const actions = entries.map(({ action, outcome, details }) => [action, outcome, details.by_key]);
    expect(actions).toContainEqual(['webhook.added', 'done', 'Night import']);
    await until(async () =>
      (await storedEntries(site.deps.db, { actorId: id })).some(
        ({ action, details }) => action === 'route.called' && details.by_key === 'Night import',
      ),
    );
  });
});

describe('a revoked key', () => {
  it('stops at once with its access tokens, and for good', async () => {
    const { id, key } = await aKeyHolder(site);
    const access = await key.accessToken();
    await regenerateNamedKey(site.deps, key.change, key.id, { seenVersion: 1, hours: 24 });
    expect(await calls.codeOf(access)).toBe(200);
    await revokeNamedKey(site.deps, key.change, key.id);
    await calls.hasEnded(access);
    const refused = await key.refresh();
    expect([refused.statusCode, refused.json().type]).toEqual([
      401,
      expect.stringContaining('invalid-refresh-token'),
    ]);
    expect(await listNamedKeys(site.deps.db, id, site.clock.now())).toEqual([]);
    const entries = await storedEntries(site.deps.db, { subjectId: id, action: 'key.revoked' });
    expect(entries).toMatchObject([{ details: { key: key.settings.name } }]);
  });

  it('gives simultaneous refreshes no token that outlives it', async () => {
    const { key } = await aKeyHolder(site);
    const racers = Array.from({ length: 100 }, () => key.refresh());
    await Promise.race(racers);
    await revokeNamedKey(site.deps, key.change, key.id);
    const answers = await Promise.all(racers);
    expect(answers.filter(({ statusCode }) => ![200, 401].includes(statusCode))).toEqual([]);
    const tokens = answers.flatMap((answer) => answer.json().access_token ?? []);
    expect(tokens.length).toBeGreaterThan(0);
    for (const token of tokens) await calls.hasEnded(token);
  });
});

describe('an overlap', () => {
  it('lets both refresh tokens and their access tokens work', async () => {
    const { id, key } = await aKeyHolder(site);
    const before = await key.accessToken();
    const end = site.clock.now().getTime() + hour;
    const token = await regenerateNamedKey(site.deps, key.change, key.id, { seenVersion: 1, hours: 1 });
    const old = await key.refresh();
    expect(old.json().refresh_token).toBe(key.refreshToken);
    expect(old.json().valid_to, 'no longer than the overlap').toBe(new Date(end).toISOString());
    const fresh = (await key.refresh(token)).json();
    expect(fresh.valid_to).toBe(new Date(site.clock.now().getTime() + 180 * minute).toISOString());
    const { token: known } = (await calls.status(before)).json();
    expect(known.valid_to).toBe(new Date(end).toISOString());
    site.clock.moveOn(hour - 1);
    expect((await keyNow(id, key.id)).previousUntil?.getTime()).toBe(end);
    for (const each of [before, old.json().access_token, fresh.access_token])
      expect(await calls.codeOf(each)).toBe(200);
    expect((await key.refresh()).statusCode).toBe(200);
    site.clock.moveOn(1);
    for (const each of [before, old.json().access_token]) expect(await calls.codeOf(each)).toBe(401);
    expect((await key.refresh()).statusCode).toBe(401);
    expect((await keyNow(id, key.id)).previousUntil).toBeNull();
    expect(await calls.codeOf(fresh.access_token)).toBe(200);
    expect((await key.refresh(token)).statusCode).toBe(200);
  });

  it('can be ended early', async () => {
    const { key } = await aKeyHolder(site);
    const token = await regenerateNamedKey(site.deps, key.change, key.id, { seenVersion: 1, hours: 24 });
    const [old, fresh] = [await key.accessToken(), (await key.refresh(token)).json().access_token];
    await endOverlap(site.deps, key.change, key.id);
    await calls.hasEnded(old);
    expect((await key.refresh()).statusCode).toBe(401);
    expect(await calls.codeOf(fresh)).toBe(200);
  });

  it('has two tokens at most: a third ends the first', async () => {
    const { key } = await aKeyHolder(site);
    const first = await key.accessToken();
    const second = await regenerateNamedKey(site.deps, key.change, key.id, { seenVersion: 1, hours: 24 });
    const third = await regenerateNamedKey(site.deps, key.change, key.id, { seenVersion: 2, hours: 24 });
    const codes = await Promise.all(
      [key.refreshToken, second, third].map(async (each) => (await key.refresh(each)).statusCode),
    );
    expect(codes).toEqual([401, 200, 200]);
    await calls.hasEnded(first);
  });

  it('says when the old token was last used', async () => {
    const { id, key } = await aKeyHolder(site);
    await key.refresh();
    const token = await regenerateNamedKey(site.deps, key.change, key.id, { seenVersion: 1, hours: 24 });
    expect((await keyNow(id, key.id)).previousUsedAt).toBeNull();
    await key.refresh(token);
    expect((await keyNow(id, key.id)).previousUsedAt, 'the new one was used').toBeNull();
    await key.refresh();
    expect((await keyNow(id, key.id)).previousUsedAt).toEqual(site.clock.now());
  });
});

describe('two new refresh tokens at once', () => {
  it('make one; the second person is told that the key has changed', async () => {
    const { key } = await aKeyHolder(site);
    const wanted = { seenVersion: 1, hours: 0 } as const;
    const results = await Promise.all(
      [1, 2].map(() =>
        regenerateNamedKey(site.deps, key.change, key.id, wanted).catch((error) => error.kind.type as string),
      ),
    );
    const token = results.find((each) => each.startsWith('onr_'))!;
    expect(results).toContain('key-changed');
    expect((await key.refresh(token)).statusCode).toBe(200);
    expect((await key.refresh()).statusCode).toBe(401);
  });
});

describe('the settings of a key', () => {
  const form = {
    name: ' Night import ',
    scopes: ['webhooks', 'referrals:read'],
    networks: '',
    idle_days: '',
  };
  const offered = scopesFor(['referrer'], 'live');

  it('are read from the form, with the scopes in their order', () => {
    expect(readKeySettings(form, offered)).toEqual({
      name: 'Night import',
      scopes: ['referrals:read', 'webhooks'],
      networks: [],
      idleDays: null,
    });
  });

  it('are refused with everything that is wrong', () => {
    const bad = { name: '', scopes: ['deliveries', 'everything'], networks: 'x', idle_days: '1' };
    expect(() => readKeySettings(bad, offered)).toThrow(
      expect.objectContaining({
        errors: ['/name', '/scopes', '/networks', '/idle_days'].map((pointer) =>
          expect.objectContaining({ pointer }),
        ),
      }),
    );
    for (const name of ['x'.repeat(61), 'two\nlines', 'hidden\u200b', 'filled\u3164'])
      expect(() => readKeySettings({ ...form, name }, offered)).toThrow();
  });

  it('offer only scopes that the roles can use', () => {
    expect(offered).toEqual([
      'library:read',
      'library:write',
      'referrals:read',
      'referrals:write',
      'webhooks',
      // Colleagues of a referrer open referrals to restricted services.
      'records',
    ]);
    const all = offered.slice(0, -1);
    expect(scopesFor(['provider'], 'test')).toEqual([...all, 'channels', 'reports:read', 'simulator']);
    expect(scopesFor(['manager'], 'live')).toEqual([...all, 'reports:read']);
    expect(scopesFor(['operator'], 'live')).toEqual([
      ...all,
      'channels',
      'deliveries',
      'records',
      'reports:read',
    ]);
  });

  it('have a name of their own, whatever the capitals', async () => {
    const { id, key } = await aKeyHolder(site, {}, { name: 'Night import' });
    const other = await aNamedKey(site, id);
    const taken = { ...other.settings, name: 'NIGHT IMPORT' };
    expect(await refusalOf(createNamedKey(site.deps, key.change, taken))).toBe('unprocessable');
    expect(await refusalOf(changeNamedKey(site.deps, key.change, other.id, taken))).toBe('unprocessable');
    const same = { ...key.settings, name: 'Night Import' };
    await changeNamedKey(site.deps, key.change, key.id, same);
    expect((await keyNow(id, key.id)).name).toBe('Night Import');
    await aKeyHolder(site, {}, { name: 'Night import' });
  });

  it('are those of twenty keys at most, even if made at once', async () => {
    const { id } = await anAccount(site.deps);
    const { change } = await aNamedKey(site, id);
    const attempts = await Promise.all(
      Array.from({ length: 22 }, (_, index) =>
        refusalOf(
          createNamedKey(site.deps, change, {
            name: `n${index}`,
            scopes: ['webhooks'],
            networks: [],
            idleDays: null,
          }),
        ),
      ),
    );
    expect(attempts.filter((each) => each === 'too-many-keys')).toHaveLength(3);
    expect(await listNamedKeys(site.deps.db, id, site.clock.now())).toHaveLength(20);
  });
});

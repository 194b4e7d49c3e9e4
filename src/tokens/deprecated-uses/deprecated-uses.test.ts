import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { aKeyHolder, aNamedKey } from '../../../test/people/named-keys.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { aSystem } from '../../../test/people/systems.ts';
import { disableAccount } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import type { Deprecation } from '../../platform/http/index.ts';
import { storeNewAccessToken } from '../model/access-tokens.ts';
import { listEndingUses } from './deprecated-uses.ts';
import { tellOfDeprecations } from './tell-holders.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const day = 24 * 60 * 60_000;
const scopes = ['library:read'];
const oldCall = (token: string) =>
  site.app.inject({
    url: '/api/library/services?format=json',
    headers: { authorization: `Bearer ${token}` },
  });
const usesOf = (accountId: string) => listEndingUses(site.deps, accountId);
/** Calls with something deprecated, and waits until that is stored. */
async function useOld(token: string, accountId: string, count = 1): Promise<void> {
  expect((await oldCall(token)).statusCode).toBe(200);
  await until(async () => (await usesOf(accountId)).length === count);
}
const told = async (email: string) =>
  (await mailsTo(site, email)).filter(({ subject }) => subject.startsWith('A client system uses'));

describe('the use of something deprecated', () => {
  it('is remembered of each key, once a day', async () => {
    const { id, token } = await aTokenHolder(site.deps);
    const key = await aNamedKey(site, id, { name: 'Night import', scopes });
    await useOld(token, id);
    await useOld(await key.accessToken(), id, 2);
    const common = { lastCall: 'GET /api/library/services', lastUsedOn: '2026-11-21', toldAt: null };
    const format = { deprecationId: 'format-of-lists', ...common };
    expect(await usesOf(id)).toMatchObject([
      { keyName: null, ...format },
      { keyName: 'Night import', ...format },
    ]);
    site.clock.moveOn(day);
    await oldCall(await key.accessToken());
    await until(async () => (await usesOf(id))[1]?.lastUsedOn === '2026-11-22');
    expect((await usesOf(id))[0]?.lastUsedOn).toBe('2026-11-21');
  });

  it('is not counted for other calls or tokens of /apilogin', async () => {
    const { id, token } = await aTokenHolder(site.deps);
    await site.app.inject({
      url: '/api/library/services',
      headers: { authorization: `Bearer ${token}` },
    });
    const signedIn = await anAccount(site.deps);
    await oldCall((await storeNewAccessToken(site.deps, signedIn.id, 'apilogin')).text);
    const other = await aTokenHolder(site.deps);
    await useOld(other.token, other.id);
    expect([await usesOf(id), await usesOf(signedIn.id)]).toEqual([[], []]);
  });

  it('is shown to the holder for 30 days', async () => {
    const browser = await signedInBrowser(site);
    const key = await aNamedKey(site, browser.id, { name: 'Night import', scopes });
    await useOld(await key.accessToken(), browser.id);
    const words = 'The key “Night import” uses “format” of a list of the library';
    for (const path of ['/apikeys', `/apikeys/keys/${key.id}`])
      expect((await browser.open(path)).text).toContain(words);
    const other = await aNamedKey(site, browser.id);
    expect((await browser.open(`/apikeys/keys/${other.id}`)).text).not.toContain('something that ends');
    site.clock.moveOn(31 * day);
    await browser.signIn();
    expect((await browser.open('/apikeys')).text).not.toContain('something that ends');
  });
});

describe('the email about something deprecated', () => {
  it('tells the holder once which key, until when and what instead', async () => {
    const { id, email, key } = await aKeyHolder(site, {}, { name: 'Night import', scopes });
    await useOld(await key.accessToken(), id);
    await tellOfDeprecations(site.deps);
    const [mail] = await told(email);
    expect(mail?.subject).toContain('A client system uses something that ends on 1 December 2027');
    for (const words of ['key “Night import”', 'GET /api/library/services', '.ndjson', '/guide/changes'])
      expect(mail?.text).toContain(words);
    site.clock.moveOn(day);
    await oldCall(await key.accessToken());
    await tellOfDeprecations(site.deps);
    expect(await told(email)).toHaveLength(1);
  });

  it('goes to the owner of a system, but not to a disabled account', async () => {
    const organisation = { name: 'Hill Surgery', libraryOrganizationId: 'hill' };
    const owner = await anAccount(site.deps, { organisation });
    const system = await aSystem(site, { organisation, ownerId: owner.id });
    await useOld(system.headers.authorization.slice(7), system.id);
    const gone = await aTokenHolder(site.deps);
    await useOld(gone.token, gone.id);
    await disableAccount(site.deps, siteActor, { id: gone.id });
    await tellOfDeprecations(site.deps);
    const mails = await told(owner.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('a key of the system EMIS Link');
    expect(await told(gone.email)).toEqual([]);
  });

  it('comes again 30 and 7 days before the end, if still used', async () => {
    const { id, email, key } = await aKeyHolder(site, {}, { scopes });
    const stopped = await aKeyHolder(site, {}, { scopes });
    await useOld(await key.accessToken(), id);
    await useOld(await stopped.key.accessToken(), stopped.id);
    const list: Deprecation[] = [
      {
        id: 'format-of-lists',
        routes: /./,
        what: 'the old list',
        instead: 'the new list',
        since: site.clock.now(),
        ends: new Date(site.clock.now().getTime() + 40 * day),
      },
    ];
    /** Lets days pass, with a call and the daily job on each. */
    const pass = async (days: number): Promise<number[]> => {
      for (let passed = 0; passed < days; passed += 1) {
        await tellOfDeprecations(site.deps, list);
        site.clock.moveOn(day);
        const today = site.clock.now().toISOString().slice(0, 10);
        await oldCall(await key.accessToken());
        await until(async () => (await usesOf(id))[0]?.lastUsedOn === today);
      }
      return [(await told(email)).length, (await told(stopped.email)).length];
    };
    expect(await pass(10)).toEqual([1, 1]);
    expect(await pass(1)).toEqual([2, 2]);
    expect(await pass(22)).toEqual([2, 2]);
    expect(await pass(1)).toEqual([3, 2]);
    expect(await pass(8)).toEqual([3, 2]);
  });
});

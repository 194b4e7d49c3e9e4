import { afterAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { withSlowCases } from '../../../test/app/runs.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { formsOf, login, makeApiLoginSite, returnUrl } from '../../../test/people/api-login.ts';
import { forgedReturnUrls, honestReturnUrls } from '../../../test/people/forged-return-addresses.ts';
import { liveEnv } from '../../../test/process/live-env.ts';
import { storeLocalhostRule } from '../../../test/tokens/stored.ts';
import { siteActor } from '../../audit/index.ts';
import { registerReturnAddress, removeReturnAddress, setLocalhostAllowed } from './return-addresses.ts';

const site = await makeApiLoginSite();
const { open, countTokens } = site;
afterAll(() => site.close());

describe('/apilogin', () => {
  it('answers every forged return address with a 400 page', async () => {
    const { id, email } = await anAccount(site.deps);
    const [nobody, somebody] = [open(), open()];
    await somebody.signIn(email);
    const before = await countTokens();
    for (const [what, texts] of Object.entries(forgedReturnUrls)) {
      for (const text of texts) {
        const form = { returnUrl: text, account: id };
        const calls = withSlowCases(
          [() => nobody.get(login(text)), () => somebody.post('/apilogin', form)],
          [() => somebody.get(login(text)), () => somebody.post('/apilogin/other-account', form)],
        );
        for (const call of calls) {
          const { statusCode, headers, body } = await call();
          expect(statusCode, `${what}: ${text}`).toBe(400);
          expect(headers.location, text).toBeUndefined();
          expect(headers['content-type'], text).toContain('text/html');
          expect(headers['referrer-policy'], text).toBe('no-referrer');
          expect(body, text).not.toMatch(/evil|client\.e|signed-in|alert\(/);
        }
      }
    }
    expect(await countTokens()).toBe(before);
    expect((await somebody.get('/apikeys')).statusCode, 'nobody was signed out by one').toBe(200);
  });

  it('refuses missing, repeated and unknown parameters', async () => {
    const good = encodeURIComponent(returnUrl);
    const queries = [
      '',
      '?',
      '?returnUrl',
      '?returnUrl=',
      `?returnUrl=${good}&returnUrl=${good}`,
      `?returnUrl=${good}&return%55rl=${good}`,
      `?returnurl=${good}`,
      `?returnUrl[]=${good}`,
      `?returnUrl=${good}&token=x`,
      `?returnUrl=${good}&https://evil.example=x`,
      `?returnUrl=${good}&response_mode=fragment`,
      `?returnUrl=${good}&response_mode=`,
      `?returnUrl=${good}&response_mode=query&response_mode=form_post`,
      `?returnUrl=${good}&responseMode=form_post`,
      '?returnUrl=%',
      '?returnUrl=%ff',
      `?returnUrl=${'x'.repeat(9000)}`,
    ];
    for (const query of queries) {
      const answer = await open().get(`/apilogin${query}`);
      expect([answer.statusCode, answer.headers.location], query).toEqual([400, undefined]);
      expect(answer.body, query).not.toMatch(/evil|client\.e|xxx/);
    }
  });

  it('serves every honest return address, even the longest', async () => {
    const { email } = await anAccount(site.deps);
    const browser = open();
    await browser.signIn(email);
    for (const text of honestReturnUrls) {
      const [goOn] = formsOf(await browser.get(login(text)));
      const { headers } = await browser.post('/apilogin', goOn!.fields);
      expect(headers.location?.startsWith(text), text).toBe(true);
      expect(new URL(headers.location!).searchParams.getAll('token'), text).toEqual([
        expect.stringMatching(/^ona_/),
      ]);
    }
  });

  it('serves any local address while an operator allows it', async () => {
    const { email } = await anAccount(site.deps);
    const browser = open();
    await browser.signIn(email);
    const local = ['http://localhost:5173/any/where', 'http://127.0.0.1/', 'http://[::1]:3000/back?state=x'];
    const statuses = async () => {
      const codes: number[] = [];
      for (const text of local) codes.push((await browser.get(login(text))).statusCode);
      return codes;
    };
    expect(await statuses()).toEqual([400, 400, 400]);
    await setLocalhostAllowed(site.deps, siteActor, true);
    expect(await statuses()).toEqual([200, 200, 200]);
    for (const text of [
      'http://localhost.evil.example/',
      'http://localhost:80@evil.example/',
      'https://localhost/',
    ])
      expect((await browser.get(login(text))).statusCode, text).toBe(400);
    await setLocalhostAllowed(site.deps, siteActor, false);
    expect(await statuses()).toEqual([400, 400, 400]);
    const entries = await storedEntries(site.deps.db, { subjectId: 'localhost' });
    expect(entries.map(({ action }) => action)).toEqual([
      'return_address.localhost_allowed',
      'return_address.localhost_refused',
    ]);
  });

  it('lets pages of the user’s computer call the API while allowed', async () => {
    const other = await makeApp();
    const headers = (origin: string) => other.app.inject({ url: '/api/token/status', headers: { origin } });
    const allowed = async (origin: string) => (await headers(origin)).headers['access-control-allow-origin'];
    const origin = 'http://localhost:5173';
    expect(await allowed(origin)).toBeUndefined();
    await setLocalhostAllowed(other.deps, siteActor, true);
    expect([await allowed(origin), await allowed('http://evil.example')]).toEqual([origin, undefined]);
    await setLocalhostAllowed(other.deps, siteActor, false);
    expect(await allowed(origin)).toBeUndefined();
    await other.close();
  });

  it('never takes an address of the user’s computer when live', async () => {
    const live = await makeApp({ env: liveEnv });
    await storeLocalhostRule(live.deps.db);
    await expect(setLocalhostAllowed(live.deps, siteActor, true)).rejects.toThrow('Not found');
    const url = login('http://localhost:5173/back');
    expect((await live.app.inject(url)).statusCode).toBe(400);
    const headers = { origin: 'http://localhost:5173' };
    const { headers: answered } = await live.app.inject({ url: '/api/token/status', headers });
    expect(answered['access-control-allow-origin']).toBeUndefined();
    await live.close();
  });

  it('refuses a removed address at the next step', async () => {
    const address = 'https://leaving.example/back';
    await registerReturnAddress(site.deps, siteActor, address);
    const { email } = await anAccount(site.deps);
    const browser = open();
    await browser.signIn(email);
    const [goOn] = formsOf(await browser.get(login(address)));
    await removeReturnAddress(site.deps, siteActor, address);
    expect((await browser.post('/apilogin', goOn!.fields)).statusCode).toBe(400);
  });
});

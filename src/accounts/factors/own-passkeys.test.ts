import { describe, expect, it } from 'vitest';
import { removePassword } from '../../../test/accounts/stored.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import {
  addPasskey,
  type PlainBrowser,
  passkeySite,
  somebody,
  withAuthenticator,
  withPasskey,
} from '../../../test/people/second-factors.ts';
import { type Oddity, softPasskey } from '../../../test/people/soft-passkey.ts';
import { findSecondFactors } from '../model/second-factors-store.ts';
import { relyingParty } from '../model/sign-in-settings.ts';

const { site, ask, use } = await passkeySite();

const minute = 60_000;

describe('removing a passkey', () => {
  it('asks for the password only for the last second factor', async () => {
    const { id, browser, password } = await withAuthenticator(site);
    const { passkey } = await addPasskey(site, browser, 'Key ring');
    const account = (await browser.get('/account')).body;
    const path = /\/account\/passkeys\/[0-9a-f-]{36}\/remove/.exec(account)![0];
    const other = await withPasskey(site);
    expect((await other.browser.get(path)).statusCode).toBe(404);
    await other.browser.post(path, { password: other.password });
    expect((await findSecondFactors(site.deps.db, id)).passkeys).toBe(1);

    expect((await browser.get(path)).body).toContain('Key ring');
    expect((await browser.post(path, {})).headers.location).toBe('/account?done=removed');
    expect(await use(passkey)).toBe(422);
    expect((await browser.post(path, {})).headers.location).toBe('/account');
    expect((await browser.post('/account/authenticator/remove', {})).statusCode).toBe(422);
    expect((await browser.post('/account/authenticator/remove', { password })).statusCode).toBe(303);
  });

  it('leaves one of two when both are removed at the same time', async () => {
    const { id, browser } = await withAuthenticator(site);
    await addPasskey(site, browser);
    const path = /\/account\/passkeys\/[0-9a-f-]{36}\/remove/.exec((await browser.get('/account')).body)![0];
    const answers = await Promise.all([
      browser.post(path, {}),
      browser.post('/account/authenticator/remove', {}),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422]);
    const { passkeys, authenticatorSince } = await findSecondFactors(site.deps.db, id);
    expect(passkeys + (authenticatorSince ? 1 : 0)).toBe(1);
  });

  it('keeps the only passkey of somebody without a password', async () => {
    const { id, browser, passkey } = await withPasskey(site);
    await removePassword(site.deps.db, id);
    const path = /\/account\/passkeys\/[0-9a-f-]{36}\/remove/.exec((await browser.get('/account')).body)![0];
    expect((await browser.post(path, {})).statusCode).toBe(409);
    await addPasskey(site, browser);
    expect((await browser.post(path, {})).statusCode).toBe(303);
    expect(await use(passkey)).toBe(422);
    expect((await browser.get('/account/password')).body).toContain('no password yet');
  });
});

describe('adding a passkey', () => {
  it('adds it to one account, and uses its challenge up', async () => {
    const [one, two] = [await somebody(site), await somebody(site)];
    const passkey = softPasskey();
    const register = async (browser: PlainBrowser, options: never, odd: Oddity = {}) =>
      (
        await browser.postJson('/account/passkeys', {
          passkey: passkey.register(options, odd),
          name: '',
        })
      ).statusCode;
    const forOne = await ask(one.browser, '/account/passkeys');
    expect(await register(two.browser, forOne as never)).toBe(422);
    const again = await ask(one.browser, '/account/passkeys');
    expect(await register(one.browser, again as never)).toBe(200);
    expect(await register(one.browser, again as never)).toBe(422);
    expect(await register(two.browser, (await ask(two.browser, '/account/passkeys')) as never)).toBe(422);
    expect((await findSecondFactors(site.deps.db, two.id)).passkeys).toBe(0);
    expect((await one.browser.get('/account')).body).toContain('<strong>Passkey</strong>');
  });

  it('does not read certificates of the device’s maker', async () => {
    const { browser } = await somebody(site);
    const passkey = softPasskey();
    const made = passkey.register(await ask(browser, '/account/passkeys'), {
      certificates: [Buffer.from('none')],
    });
    expect((await browser.postJson('/account/passkeys', { passkey: made, name: 'x' })).statusCode).toBe(200);
    expect(await use(passkey)).toBe(200);
  });

  it('asks for a new sign-in after a while: the passkey is one', async () => {
    const { browser, passkey } = await withPasskey(site);
    site.clock.moveOn(15 * minute + 1);
    const before = browser.cookies.get('onward-session');
    for (const path of ['/account/passkeys/options', '/account/passkeys']) {
      const made = softPasskey().register({ challenge: 'A'.repeat(43), user: { id: 'AA' } });
      const answer = await browser.postJson(path, { passkey: made, name: 'x' });
      expect([answer.statusCode, answer.json()]).toEqual([
        403,
        { go_to: '/signin?next=%2Faccount%2Fpasskeys' },
      ]);
    }
    expect(await use(passkey, {}, browser)).toBe(200);
    expect(browser.cookies.get('onward-session')).not.toBe(before);
    expect((await browser.postJson('/account/passkeys/options')).statusCode).toBe(200);
  });

  it('is not offered where browsers have no passkeys', async () => {
    const baseUrl = 'http://192.0.2.7:8080';
    const elsewhere = await makeApp({ env: { ONWARD_BASE_URL: baseUrl } });
    expect((await elsewhere.app.inject('/signin')).body).not.toContain('passkey');
    const headers = { origin: baseUrl };
    const answer = await elsewhere.app.inject({ method: 'POST', url: '/signin/passkey/options', headers });
    expect(answer.statusCode).toBe(404);
    await elsewhere.close();
  });

  it.each<[string, Oddity]>([
    ['from another site', { origin: 'https://evil.example' }],
    ['of another domain', { rpId: 'evil.example' }],
  ])('refuses a passkey made %s', async (_what, odd) => {
    const { id, browser } = await somebody(site);
    const options = await ask(browser, '/account/passkeys');
    const passkey = softPasskey().register(options, odd);
    const answer = await browser.postJson('/account/passkeys', { passkey, name: 'x' });
    expect(answer.statusCode).toBe(422);
    expect((await findSecondFactors(site.deps.db, id)).passkeys).toBe(0);
  });

  it.each([
    ['http://localhost:8080', 'localhost'],
    ['https://onward.example', 'onward.example'],
    ['https://onward.example:8443', 'onward.example'],
    ['http://onward.example', undefined],
    ['http://127.0.0.1:8080', undefined],
    ['https://192.0.2.7', undefined],
    ['https://[2001:db8::1]', undefined],
  ])('at %s is for %s', (baseUrl, id) => {
    expect(relyingParty({ ...site.deps.settings, baseUrl })?.id).toBe(id);
  });
});

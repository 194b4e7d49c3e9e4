import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount, aTokenHolder, testPassword } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { login, returnUrl, tokenIn } from '../../../test/people/api-login.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import { beginAuthenticator, codeOf, somebody } from '../../../test/people/second-factors.ts';
import { softPasskey } from '../../../test/people/soft-passkey.ts';
import { siteActor } from '../../audit/index.ts';
import { registerReturnAddress } from '../../tokens/index.ts';
import { commandLineActor, removeSecondFactors } from '../index.ts';

const apiLogin = login(returnUrl);
const withNext = (path: string, next: string) => `${path}?next=${encodeURIComponent(next)}`;
const setUp = (next: string) => withNext('/account/second-factor', next);

describe('where everybody must have a second factor', () => {
  let site: TestApp;
  beforeAll(async () => {
    site = await makeApp({ env: { ONWARD_SECOND_FACTOR: 'everybody' } });
    await registerReturnAddress(site.deps, siteActor, 'https://client.example/signed-in');
  });
  afterAll(() => site.close());

  it('leads somebody with only a password to set one up', async () => {
    const { browser } = await somebody(site);
    for (const path of [
      '/',
      '/referrals',
      '/account',
      '/apikeys',
      '/services',
      '/guide',
      '/account/password',
    ])
      expect((await browser.get(path)).headers.location, path).toBe(setUp(path));
    for (const path of ['/apikeys/regenerate', '/account/name', '/referrals/search'])
      expect((await browser.post(path, { name: 'x' })).headers.location, path).toBe(setUp('/'));
    expect((await browser.get(apiLogin)).headers.location).toBe(setUp(apiLogin));
    const page = await browser.get(setUp('/'));
    expect([page.statusCode, page.body]).toEqual([
      200,
      expect.stringContaining('Set up an authenticator app'),
    ]);
  });

  it('goes on to the wanted page, and asks for both from then on', async () => {
    const { browser, email } = await somebody(site);
    const secret = await beginAuthenticator(browser);
    const done = await browser.post('/account/authenticator/confirm', { code: codeOf(site, secret) });
    expect(done.body).toContain('Keep these codes now');
    expect((await browser.get('/apikeys')).statusCode).toBe(200);
    expect((await browser.get(setUp('/referrals'))).headers.location).toBe('/referrals');
    const other = plainBrowser(site.app);
    expect((await other.post('/signin', { email, password: testPassword })).headers.location).toBe(
      '/signin/code',
    );
  });

  describe('leads to the wanted page once it is set up', () => {
    const onward = '/referrals?status=open&page=2';
    // Not that of the message above a form that was kept while they signed in again.
    const action = (body: string) =>
      parse(body).querySelector('main form:not([action="/discard-form"])')!.getAttribute('action')!;
    const button = (body: string) => parse(body).querySelector('main a.nhsuk-button')?.getAttribute('href');

    it('does so with an authenticator app, also after a wrong code', async () => {
      const { browser } = await somebody(site);
      const begun = await browser.post(action((await browser.get(setUp(onward))).body), {});
      const page = (await browser.get(String(begun.headers.location))).body;
      const secret = parse(page).querySelector('#authenticator-key')!.text.replaceAll(' ', '');
      const wrong = await browser.post(action(page), { code: 'x' });
      const again = (await browser.get(String(wrong.headers.location))).body;
      const done = await browser.post(action(again), { code: codeOf(site, secret) });
      expect(button(done.body)).toBe(onward);
    });

    it('does so after a passkey and recovery codes', async () => {
      const { browser } = await somebody(site);
      const page = parse((await browser.get(setUp(onward))).body);
      const way = page.querySelector('a[href^="/account/passkeys"]')!.getAttribute('href')!;
      const next = parse((await browser.get(way)).body)
        .querySelector('[data-passkey]')!
        .getAttribute('data-next')!;
      const options = (await browser.postJson('/account/passkeys/options')).json();
      const passkey = softPasskey().register(options);
      const added = await browser.postJson(withNext('/account/passkeys', next), {
        passkey,
        name: 'Laptop',
      });
      const codes = (await browser.get(added.json().go_to)).body;
      const made = await browser.post(action(codes), {});
      expect(button(made.body)).toBe(onward);
    });

    it('does so even if they have to sign in again at each step', async () => {
      const { browser, email } = await somebody(site);
      const signInAgain = async (sentTo: unknown) => {
        const way = new URL(String(sentTo), 'http://x');
        expect(way.pathname).toBe('/signin');
        let location = await browser.signIn(email, way.searchParams.get('next')!);
        for (;;) {
          const answer = await browser.get(location);
          if (answer.statusCode !== 303) return answer.body;
          location = String(answer.headers.location);
        }
      };
      const tooLong = () => site.clock.moveOn(16 * 60_000);
      const page = (await browser.get(setUp(onward))).body;
      tooLong();
      const stale = await browser.post(action(page), {});
      const begun = await browser.post(action(await signInAgain(stale.headers.location)), {});
      const shown = (await browser.get(String(begun.headers.location))).body;
      tooLong();
      const late = await browser.post(action(shown), { code: 'x' });
      const again = await signInAgain(late.headers.location);
      const secret = parse(again).querySelector('#authenticator-key')!.text.replaceAll(' ', '');
      const done = await browser.post(action(again), { code: codeOf(site, secret) });
      expect(button(done.body)).toBe(onward);
    });

    it('does so with a passkey, too', async () => {
      const { browser } = await somebody(site);
      site.clock.moveOn(16 * 60_000);
      for (const path of ['/account/passkeys/options', '/account/passkeys']) {
        const refused = await browser.postJson(withNext(path, onward));
        expect(refused.json().go_to).toBe(withNext('/signin', withNext('/account/passkeys', onward)));
      }
    });

    it('leads back to `/apilogin`, which then gives its key', async () => {
      const { email } = await anAccount(site.deps, { hasApiAccess: true });
      const browser = plainBrowser(site.app);
      const signIn = String((await browser.get(apiLogin)).headers.location);
      const next = new URL(signIn, 'http://x').searchParams.get('next')!;
      const started = await browser.signIn(email, next);
      const sent = String((await browser.get(started)).headers.location);
      expect(sent).toBe(setUp(started));
      const secret = await beginAuthenticator(browser);
      const confirm = withNext('/account/authenticator/confirm', started);
      const done = await browser.post(confirm, { code: codeOf(site, secret) });
      expect(button(done.body)).toBe(started);
      expect(tokenIn(await browser.get(button(done.body)!))).toMatch(/^ona_/);
    });

    it('never leads to another site', async () => {
      for (const next of [
        'https://evil.example/',
        '//evil.example/',
        '/\\evil.example',
        'javascript:alert(1)',
      ]) {
        const { browser } = await somebody(site);
        expect(action((await browser.get(setUp(next))).body)).toBe('/account/authenticator');
        const begun = await browser.post(withNext('/account/authenticator', next), {});
        expect(begun.headers.location).toBe('/account/authenticator');
        const secret = await beginAuthenticator(browser);
        const confirm = withNext('/account/authenticator/confirm', next);
        const wrong = await browser.post(confirm, { code: 'x' });
        expect(wrong.headers.location).toBe('/account/authenticator?wrong=yes');
        const done = await browser.post(confirm, { code: codeOf(site, secret) });
        expect(button(done.body)).toBe('/account');
        const renewed = await browser.post(withNext('/account/recovery-codes', next), {});
        expect(button(renewed.body)).toBe('/account');
        expect((await browser.get(setUp(next))).headers.location).toBe('/account');
      }
    });
  });

  it('refuses to remove the last; asks again after an operator has', async () => {
    const { browser, email } = await somebody(site);
    const secret = await beginAuthenticator(browser);
    await browser.post('/account/authenticator/confirm', { code: codeOf(site, secret) });
    const offered = (await browser.get('/account/authenticator/remove')).body;
    expect(offered).toContain('Add another app or passkey first');
    expect(offered).not.toContain('password alone');
    const refused = await browser.post('/account/authenticator/remove', { password: testPassword });
    expect([refused.statusCode, refused.body]).toEqual([
      409,
      expect.stringContaining('requires two-step sign-in'),
    ]);
    await removeSecondFactors(site.deps, commandLineActor, email);
    const again = plainBrowser(site.app);
    await again.signIn(email);
    expect((await again.get('/account')).headers.location).toBe(setUp('/account'));
  });

  it('leaves the keys of systems alone', async () => {
    const { headers } = await aTokenHolder(site.deps);
    expect((await site.app.inject({ url: '/api/token/status', headers })).statusCode).toBe(200);
  });
});

describe('where operators must have a second factor', () => {
  let site: TestApp;
  beforeAll(async () => {
    site = await makeApp({ env: { ONWARD_SECOND_FACTOR: 'operators' } });
  });
  afterAll(() => site.close());

  it('asks others only once they become operators', async () => {
    const referrer = await somebody(site);
    expect((await referrer.browser.get('/account')).statusCode).toBe(200);
    const operator = await anAccount(site.deps, { roles: ['referrer', 'operator'] });
    const browser = plainBrowser(site.app);
    await browser.signIn(operator.email);
    expect((await browser.get('/operator')).headers.location).toBe(setUp('/operator'));
  });

  it('tells an operator what happens when they remove factors', async () => {
    const { browser, id } = await somebody(site, { role: 'operator' });
    const secret = await beginAuthenticator(browser);
    await browser.post('/account/authenticator/confirm', { code: codeOf(site, secret) });
    const pageOf = async (whose: string) =>
      (await browser.get(`/operator/accounts/${whose}/second-factors`)).body;
    expect(await pageOf(id)).toContain('they set it up again');
    expect(await pageOf((await anAccount(site.deps)).id)).toContain('with their password alone');
  });
});

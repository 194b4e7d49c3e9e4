import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount, testPassword } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { waitingForLocks } from '../../../test/database/locks.ts';
import { textOfTable } from '../../../test/database/stored.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import { somebody } from '../../../test/people/second-factors.ts';
import { siteActor } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { disableAccount } from '../index.ts';
import { lockAccount, updatePassword } from '../model/accounts-store.ts';
import { resetPassword } from '../passwords/change-password.ts';
import { hashPassword, passwordCost } from '../passwords/password.ts';
import { signIn } from './sign-in.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const minute = 60_000;
const newBrowser = () => plainBrowser(site.app);

describe('signing out', () => {
  it('ends the session at the server and clears the cookie', async () => {
    const { browser } = await somebody(site);
    const copy = newBrowser();
    copy.cookies.set('onward-session', browser.cookies.get('onward-session')!);
    await browser.post('/signout', {});
    expect(browser.cookies.size).toBe(0);
    expect((await copy.get('/account')).statusCode).toBe(303);
  });
});

describe('signing in', () => {
  it('says what to enter in an empty form', async () => {
    const empty = await newBrowser().post('/signin', { email: ' ', password: '' });
    expect(empty.statusCode).toBe(422);
    const summary = parse(empty.body).querySelectorAll('.nhsuk-error-summary a');
    expect(summary.map((link) => [link.text.trim(), link.getAttribute('href')])).toEqual([
      ['Enter your email address', '#email'],
      ['Enter your password', '#password'],
    ]);
    const half = await newBrowser().post('/signin', { email: 'a@example.org', password: '' });
    expect(half.body).toContain('Enter your password');
    expect(half.body).not.toContain('Enter your email address');
  });

  it('answers wrong, unknown and disabled alike', async () => {
    const { email } = await anAccount(site.deps);
    const disabled = await anAccount(site.deps);
    await disableAccount(site.deps, siteActor, disabled.email);
    const answers = await Promise.all([
      newBrowser().post('/signin', { email, password: 'not the password at all' }),
      newBrowser().post('/signin', { email: `${randomUUID()}@example.org`, password: testPassword }),
      newBrowser().post('/signin', { email: disabled.email, password: testPassword }),
    ]);
    const bodies = answers.map(({ body }) => body.replaceAll(/[0-9a-f-]{36}@/g, 'somebody@'));
    expect(new Set(bodies).size).toBe(1);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422]);
    expect(answers.flatMap(({ cookies }) => cookies)).toEqual([]);
  });

  it('does not wait for the account when the password is wrong', async () => {
    const { id, email } = await anAccount(site.deps);
    const guess = () => newBrowser().post('/signin', { email, password: 'not the password at all' });
    const { statusCode } = await inTransaction(site.deps.db, async (trx) => {
      await lockAccount(trx, id);
      return guess();
    });
    expect(statusCode).toBe(422);
  });

  it('repeats the typed address, and stores nothing typed', async () => {
    const email = 'a password typed in the wrong field';
    const { body } = await newBrowser().post('/signin', { email, password: 'some password or other' });
    const page = parse(body);
    expect(page.querySelector('#email')?.getAttribute('value')).toBe(email);
    expect(page.querySelector('#password')?.getAttribute('value')).toBeUndefined();
    expect(await textOfTable(site.deps.db, 'audit_entries')).not.toContain('wrong field');
  });

  it('fills in the address after an ended session, not a sign-out', async () => {
    const browser = plainBrowser(site.app);
    const { email } = await anAccount(site.deps);
    await browser.signIn(email);
    site.clock.moveOn(31 * minute);
    expect((await browser.get('/signin?next=%2Freferrals')).body).toContain(`value="${email}"`);
    await browser.signIn(email);
    await browser.post('/signout', {});
    expect((await browser.get('/signin')).body).not.toContain(email);
  });

  it('says why somebody was signed out, and leads back', async () => {
    const { browser, email } = await somebody(site);
    site.clock.moveOn(31 * minute);
    const wanted = '/account?from=home';
    const { location } = (await browser.get(wanted)).headers;
    const page = parse((await browser.get(String(location))).body);
    expect(page.querySelector('main')!.text).toContain(
      'You have been signed out. This happens after 30 minutes',
    );
    const next = page.querySelector('input[name=next]')!.getAttribute('value')!;
    const answer = await browser.post('/signin', { email, password: testPassword, next });
    expect([next, answer.headers.location]).toEqual([wanted, wanted]);
    expect((await newBrowser().get(String(location))).body).not.toContain('You have been signed out');
  });

  it('does not sign in a session that somebody planted', async () => {
    const attacker = await somebody(site);
    const planted = attacker.browser.cookies.get('onward-session')!;
    const victim = newBrowser();
    victim.cookies.set('onward-session', planted);
    const { email } = await anAccount(site.deps);
    await victim.signIn(email);
    expect(victim.cookies.get('onward-session')).not.toBe(planted);
    // The planted session has ended, so the attacker cannot use it either.
    expect((await attacker.browser.get('/account')).statusCode).toBe(303);
  });

  it('replaces the session of somebody else', async () => {
    const first = await somebody(site, { name: 'Fay First' });
    const second = await anAccount(site.deps, { name: 'Sam Second' });
    expect((await first.browser.get('/signin')).body).toContain('Show that it is you');
    await first.browser.signIn(second.email, '/account');
    const { body } = await first.browser.get('/account');
    expect([body.includes('Sam Second'), body.includes('Fay First')]).toEqual([true, false]);
  });

  it('shows keys again after the password, in a new session', async () => {
    const { email, browser } = await somebody(site);
    const before = browser.cookies.get('onward-session');
    site.clock.moveOn(16 * minute);
    expect((await browser.get('/apikeys')).headers.location).toBe('/signin?next=%2Fapikeys');
    // A program posts the form to the address it was sent to.
    const form = { email, password: testPassword };
    expect((await newBrowser().post('/signin?next=%2Fapikeys', form)).headers.location).toBe('/apikeys');
    expect(
      parse((await browser.get('/signin?next=/apikeys')).body)
        .querySelector('#email')
        ?.getAttribute('value'),
    ).toBe(email);
    expect(await browser.signIn(email, '/apikeys')).toBe('/apikeys');
    expect((await browser.get('/apikeys')).statusCode).toBe(200);
    expect(browser.cookies.get('onward-session')).not.toBe(before);
  });

  it('is refused when the password changed meanwhile', async () => {
    const { id, email, password } = await anAccount(site.deps);
    const { db } = site.deps;
    const entering = await inTransaction(db, async (trx) => {
      await lockAccount(trx, id);
      const outcome = signIn(site.deps, { email, password, browser: { ipAddress: '192.0.2.1' } });
      // It has checked the password and waits for the account’s lock.
      await until(async () => (await waitingForLocks(db)) > 0);
      await updatePassword(trx, id, 'another');
      return { outcome };
    });
    expect(await entering.outcome).toEqual({ kind: 'refused' });
  });

  it('works with the new password only, after a reset', async () => {
    const { email, browser } = await somebody(site);
    await resetPassword(site.deps, siteActor, email, 'grass beside a canal boat');
    expect((await browser.get('/account')).statusCode).toBe(303);
    expect((await browser.post('/signin', { email, password: testPassword })).statusCode).toBe(422);
    expect((await browser.post('/signin', { email, password: 'grass beside a canal boat' })).statusCode).toBe(
      303,
    );
  });

  it('offers the provider, and leads to the wanted page', async () => {
    expect((await newBrowser().get('/signin')).body).not.toContain('/signin/oidc');
    const { body } = await newBrowser().get('/signin');
    expect(parse(body).querySelector('a[href="/reset-password"]')?.text).toBe('Forgot your password?');
  });

  it('binds cookies to the host and to https', async () => {
    const live = await makeApp({ env: { ONWARD_BASE_URL: 'https://onward.example' } });
    const { email } = await anAccount(live.deps);
    const answer = await live.app.inject({
      method: 'POST',
      url: '/signin',
      headers: { origin: 'https://onward.example', 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ email, password: testPassword }).toString(),
    });
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-onward-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    await live.close();
  });

  it('is refused when too many sign in, and logs no error', async () => {
    const site = await makeApp();
    const usual = { ...passwordCost };
    try {
      // The two that run take about a second each, and a hundred wait behind them.
      Object.assign(passwordCost, { memoryCost: 47_104, timeCost: 25 });
      const slow = [hashPassword('one'), hashPassword('another')];
      await nextTurn();
      Object.assign(passwordCost, usual);
      const full = [...slow, ...Array.from({ length: 100 }, () => hashPassword('one more'))];
      const answer = await plainBrowser(site.app).post('/signin', {
        email: 'a@example.org',
        password: 'any',
      });
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
      await Promise.all(full);
      const lines = site.logLines.map((line) => JSON.parse(line));
      expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', problem: 'unavailable' }));
      expect(lines.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
    } finally {
      Object.assign(passwordCost, usual);
      await site.close();
    }
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/a b',
    '/\r\nx: y',
  ])('never leads to “%s”', async (next) => {
    const { email } = await anAccount(site.deps);
    const browser = newBrowser();
    const shown = await browser.get(`/signin?next=${encodeURIComponent(next)}`);
    expect(shown.body).not.toContain('name="next"');
    expect(await browser.signIn(email, next)).toBe('/');
    const form = { email, password: testPassword };
    const sent = await newBrowser().post(`/signin?next=${encodeURIComponent(next)}`, form);
    expect(sent.headers.location).toBe('/');
  });
});

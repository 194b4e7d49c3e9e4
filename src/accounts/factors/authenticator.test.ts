import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { damageAuthenticator } from '../../../test/accounts/stored.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { subjectsTo } from '../../../test/network/mailbox.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import {
  beginAuthenticator,
  codeOf,
  somebody,
  withAuthenticator,
} from '../../../test/people/second-factors.ts';
import { siteActor } from '../../audit/index.ts';
import { findSecondFactors } from '../model/second-factors-store.ts';
import { resetPassword } from '../passwords/change-password.ts';
import { removeSecondFactors } from '../people/remove-second-factors.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const minute = 60_000;
const confirmPath = '/account/authenticator/confirm';
const removePath = '/account/authenticator/remove';
const factorsOf = (id: string) => findSecondFactors(site.deps.db, id);
const signInAgain = (email: string) => plainBrowser(site.app).signIn(email);

describe('setting up an authenticator app', () => {
  it('is confirmed with a code and told by email', async () => {
    const { id, email, browser } = await somebody(site);
    const secret = await beginAuthenticator(browser);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const shown = await browser.get('/account/authenticator');
    expect(shown.body).toContain('src="data:image/svg+xml;base64,');
    const done = await browser.post(confirmPath, { code: codeOf(site, secret) });
    expect(done.statusCode).toBe(200);
    const page = parse(done.body);
    const codes = page.querySelectorAll('.onward-codes code').map((each) => each.text);
    expect(codes).toHaveLength(10);
    expect(page.querySelector('[data-prints]')).not.toBeNull();
    expect(page.querySelector('nav[aria-label=Back]'), 'the codes are lost by leaving').toBeNull();
    expect(page.text).toContain('When you leave this page, you cannot see them again');
    expect(await factorsOf(id)).toEqual({
      authenticatorSince: site.clock.now(),
      passkeys: 0,
      recoveryCodes: 10,
    });
    expect(await signInAgain(email)).toBe('/signin/code');
    expect(await subjectsTo(site, email)).toEqual([
      'An authenticator app was added to your account – Onward test site',
    ]);
    // Nobody sees the secret again, nor the codes.
    expect((await browser.get('/account/authenticator')).headers.location).toBe('/account');
    for (const path of ['/account', '/account/recovery-codes']) {
      const { body } = await browser.get(path);
      expect(body).not.toMatch(new RegExp(`${secret}|${secret.slice(0, 4)} ${secret.slice(4, 8)}`));
      expect(body).not.toMatch(/<code>/);
    }
  });

  it('changes nothing until it is finished', async () => {
    const { id, email, browser } = await somebody(site);
    const secret = await beginAuthenticator(browser);
    expect(await factorsOf(id)).toEqual({ authenticatorSince: null, passkeys: 0, recoveryCodes: 0 });
    expect(await signInAgain(email)).toBe('/');
    const wrong = await browser.post(confirmPath, { code: '000000' });
    expect(wrong.headers.location).toBe('/account/authenticator?wrong=yes');
    const shown = parse((await browser.get('/account/authenticator?wrong=yes')).body);
    expect(shown.querySelector('.nhsuk-error-summary')?.text).toContain('The code is not right');
    expect(shown.querySelector('#authenticator-key')?.text.replaceAll(' ', '')).toBe(secret);
    expect(await signInAgain(email)).toBe('/');
    site.clock.moveOn(14 * minute);
    await browser.signIn(email);
    site.clock.moveOn(14 * minute);
    await browser.signIn(email);
    site.clock.moveOn(2 * minute);
    expect((await browser.post(confirmPath, { code: codeOf(site, secret) })).headers.location).toBe(
      '/account',
    );
    expect(await signInAgain(email)).toBe('/');
  });

  it('makes another secret when it starts again', async () => {
    const { id, browser } = await somebody(site);
    const first = await beginAuthenticator(browser);
    const second = await beginAuthenticator(browser);
    expect(second).not.toBe(first);
    await browser.post(confirmPath, { code: codeOf(site, first) });
    expect((await factorsOf(id)).authenticatorSince).toBeNull();
    expect((await browser.post(confirmPath, { code: codeOf(site, second) })).statusCode).toBe(200);
  });

  it('never replaces an app that is confirmed', async () => {
    const { id, email, browser, secret } = await withAuthenticator(site);
    const before = await factorsOf(id);
    await browser.post('/account/authenticator', {});
    expect((await browser.get('/account/authenticator')).headers.location).toBe('/account');
    expect((await browser.post(confirmPath, { code: codeOf(site, secret) })).headers.location).toBe(
      '/account',
    );
    expect(await factorsOf(id)).toEqual(before);
    const other = plainBrowser(site.app);
    await other.signIn(email);
    expect((await other.post('/signin/code', { code: codeOf(site, secret) })).headers.location).toBe('/');
  });

  it('happens once when two windows confirm it', async () => {
    const { id, browser } = await somebody(site);
    const secret = await beginAuthenticator(browser);
    const answers = await Promise.all(
      [1, 2, 3].map(() => browser.post(confirmPath, { code: codeOf(site, secret) })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 303, 303]);
    expect((await factorsOf(id)).recoveryCodes).toBe(10);
  });
});

describe('recovery codes', () => {
  it('stop working when new ones are made', async () => {
    const { email, browser, recoveryCodes, secret } = await withAuthenticator(site);
    const answer = await browser.post('/account/recovery-codes', {});
    const codes = parse(answer.body)
      .querySelectorAll('.onward-codes code')
      .map(({ text }) => text);
    expect(codes).toHaveLength(10);
    expect(codes.filter((code) => recoveryCodes.includes(code))).toEqual([]);
    const other = plainBrowser(site.app);
    await other.signIn(email);
    expect((await other.post('/signin/code', { code: recoveryCodes[0]! })).statusCode).toBe(422);
    expect((await other.post('/signin/code', { code: codes[0]! })).statusCode).toBe(303);
    expect((await subjectsTo(site, email)).slice(0, 2)).toEqual([
      'A recovery code was used to sign in to your account – Onward test site',
      'New recovery codes were made for your account – Onward test site',
    ]);
    expect(secret).toHaveLength(32);
  });

  it('are only for accounts with a second factor', async () => {
    const { id, browser } = await somebody(site);
    expect((await browser.post('/account/recovery-codes', {})).headers.location).toBe('/account');
    expect((await factorsOf(id)).recoveryCodes).toBe(0);
  });
});

describe('removing a second factor', () => {
  it('asks for the password and is told by email', async () => {
    const { id, email, password, browser } = await withAuthenticator(site);
    expect((await browser.post(removePath, {})).statusCode).toBe(422);
    expect((await browser.post(removePath, { password: 'not the password at all' })).statusCode).toBe(422);
    expect((await factorsOf(id)).authenticatorSince).not.toBeNull();
    expect((await browser.post(removePath, { password })).headers.location).toBe('/account?done=removed');
    expect(await factorsOf(id)).toEqual({ authenticatorSince: null, passkeys: 0, recoveryCodes: 0 });
    expect(await signInAgain(email)).toBe('/');
    expect((await subjectsTo(site, email))[0]).toBe(
      'An authenticator app was removed from your account – Onward test site',
    );
  });

  it('slows down and audits guesses at the password', async () => {
    const { id, password, browser } = await withAuthenticator(site);
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect((await browser.post(removePath, { password: `guess number ${wrong} of many` })).statusCode).toBe(
        422,
      );
    expect((await browser.post(removePath, { password })).statusCode).toBe(429);
    const refused = { action: 'account.password_checked', outcome: 'refused', subjectId: id } as const;
    expect(await storedEntries(site.deps.db, refused)).toHaveLength(5);
  });

  it('is refused while the password is too short to stand alone', async () => {
    const { id, email, browser, secret } = await withAuthenticator(site);
    const short = 'marsh-tin7';
    const changed = await browser.post('/account/password', {
      current_password: 'a long enough password',
      password: short,
    });
    expect(changed.headers.location).toBe('/account?done=password');
    const answer = await browser.post(removePath, { password: short });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('shorter than 15 characters');
    expect((await factorsOf(id)).authenticatorSince).not.toBeNull();
    expect(secret).toHaveLength(32);

    // If an operator removes it all the same, the short password does not sign anybody in.
    await removeSecondFactors(site.deps, siteActor, { id });
    const other = plainBrowser(site.app);
    const refused = await other.post('/signin', { email, password: short });
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('too short to sign in with on its own');
    expect(other.cookies.size).toBe(0);
    const wrong = await other.post('/signin', { email, password: 'marsh-tin8' });
    expect(wrong.body).not.toContain('too short');
    await resetPassword(site.deps, siteActor, email, 'a new long enough password');
    expect((await other.post('/signin', { email, password: 'a new long enough password' })).statusCode).toBe(
      303,
    );
  });

  it('asks for the password again some time after sign-in', async () => {
    const { id, password, browser } = await withAuthenticator(site);
    const before = await factorsOf(id);
    site.clock.moveOn(15 * minute + 1);
    for (const path of ['/account/authenticator', '/account/recovery-codes', removePath, confirmPath]) {
      const answer = await browser.post(path, { password, code: '000000' });
      expect(answer.headers.location, path).toMatch(/^\/signin\?next=/);
    }
    for (const path of ['/account/recovery-codes', removePath])
      expect((await browser.get(path)).headers.location).toBe(`/signin?next=${encodeURIComponent(path)}`);
    expect(await factorsOf(id)).toEqual(before);
  });

  it('ends all sessions and is told, when an operator does it', async () => {
    const { id, email, browser } = await withAuthenticator(site);
    await removeSecondFactors(site.deps, { name: 'Olive Operator', role: 'operator' }, { id });
    expect(await factorsOf(id)).toEqual({ authenticatorSince: null, passkeys: 0, recoveryCodes: 0 });
    expect((await browser.get('/account')).statusCode).toBe(303);
    expect(await signInAgain(email)).toBe('/');
    expect((await subjectsTo(site, email))[0]).toContain('was turned off for your account by the operator');
    const entries = await storedEntries(site.deps.db, { action: 'second_factor.reset', subjectId: id });
    expect(entries).toMatchObject([
      { actor_name: 'Olive Operator', details: { authenticator: true, passkeys: 0 } },
    ]);
    await expect(
      removeSecondFactors(site.deps, siteActor, { id: '01a1fdee-0ed5-7668-b9e2-cc3bd2afcadc' }),
    ).rejects.toMatchObject({ kind: { type: 'no-such-account' } });
  });
});

describe('an authenticator that another site key sealed', () => {
  it('accepts no code, and the recovery codes still work', async () => {
    const { id, email, secret, recoveryCodes } = await withAuthenticator(site);
    await damageAuthenticator(site.deps.db, id);
    const browser = plainBrowser(site.app);
    await browser.signIn(email);
    expect((await browser.post('/signin/code', { code: codeOf(site, secret) })).statusCode).toBe(422);
    expect((await browser.post('/signin/code', { code: recoveryCodes[0]! })).statusCode).toBe(303);
  });
});

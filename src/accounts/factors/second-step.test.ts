import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import {
  beginAuthenticator,
  codeOf,
  type PlainBrowser,
  somebody,
  withAuthenticator,
} from '../../../test/people/second-factors.ts';
import { siteActor } from '../../audit/index.ts';
import { disableAccount } from '../index.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const minute = 60_000;
const newBrowser = () => plainBrowser(site.app);

/** Whether the browser's person is signed in. */
const isIn = async (browser: PlainBrowser) => (await browser.get('/account')).statusCode === 200;
const enter = (browser: PlainBrowser, code: string) => browser.post('/signin/code', { code });

/** A browser in which the right password was typed. */
async function halfWay(email: string): Promise<PlainBrowser> {
  const browser = newBrowser();
  expect(await browser.signIn(email)).toBe('/signin/code');
  return browser;
}

describe('the second step of a sign-in', () => {
  it('takes a code and leads to the wanted page', async () => {
    const { email, secret } = await withAuthenticator(site);
    const browser = newBrowser();
    const step = await browser.signIn(email, '/services?search=tea');
    expect(step).toBe('/signin/code?next=%2Fservices%3Fsearch%3Dtea');
    const page = parse((await browser.get(step)).body);
    const next = page.querySelector('input[name=next]')!.getAttribute('value')!;
    const answer = await browser.post('/signin/code', { code: codeOf(site, secret), next });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/services?search=tea']);
    expect(await isIn(browser)).toBe(true);
    expect([...browser.cookies.keys()]).toEqual(['onward-session']);
  });

  it('is needed: the password alone opens nothing', async () => {
    const { email } = await withAuthenticator(site);
    const browser = await halfWay(email);
    expect([...browser.cookies.keys()]).toEqual(['onward-sign-in-step']);
    for (const path of ['/account', '/apikeys', '/referrals', '/account/authenticator/remove'])
      expect((await browser.get(path)).headers.location, path).toMatch(/^\/signin\?/);
    // Nor when it is sent as the session cookie.
    browser.cookies.set('onward-session', browser.cookies.get('onward-sign-in-step')!);
    expect(await isIn(browser)).toBe(false);
  });

  it('takes a code once', async () => {
    const { email, secret } = await withAuthenticator(site);
    const code = codeOf(site, secret);
    expect((await enter(await halfWay(email), code)).statusCode).toBe(303);
    const again = await halfWay(email);
    expect((await enter(again, code)).statusCode).toBe(422);
    // Nor does it take the code before it.
    expect((await enter(again, codeOf(site, secret, -1))).statusCode).toBe(422);
    expect((await enter(again, codeOf(site, secret, 1))).statusCode).toBe(303);
  });

  it('does not take the code that set the app up', async () => {
    const { email, browser } = await somebody(site);
    const secret = await beginAuthenticator(browser);
    const code = codeOf(site, secret);
    await browser.post('/account/authenticator/confirm', { code });
    expect((await enter(await halfWay(email), code)).statusCode).toBe(422);
  });

  it('lets in one of ten browsers with the same code', async () => {
    const { email, secret } = await withAuthenticator(site);
    const browsers = [await halfWay(email), await halfWay(email), await halfWay(email), await halfWay(email)];
    const answers = await Promise.all(browsers.map((browser) => enter(browser, codeOf(site, secret))));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422, 422, 422]);
  });

  it('takes a code with spaces, as the app shows it', async () => {
    const { email, secret } = await withAuthenticator(site);
    const code = codeOf(site, secret);
    expect((await enter(await halfWay(email), ` ${code.slice(0, 3)} ${code.slice(3)} `)).statusCode).toBe(
      303,
    );
  });

  it('takes no code without the first step', async () => {
    const { secret } = await withAuthenticator(site);
    const browser = newBrowser();
    const answer = await enter(browser, codeOf(site, secret));
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/signin?expired=yes']);
    expect(await isIn(browser)).toBe(false);
    browser.cookies.set('onward-sign-in-step', 'A'.repeat(43));
    expect((await enter(browser, codeOf(site, secret))).headers.location).toBe('/signin?expired=yes');
    expect((await browser.get('/signin/code?next=/apikeys')).headers.location).toBe(
      '/signin?expired=yes&next=%2Fapikeys',
    );
  });

  it('belongs to one browser and one person', async () => {
    const one = await withAuthenticator(site);
    const two = await withAuthenticator(site);
    await halfWay(one.email);
    expect((await enter(newBrowser(), codeOf(site, one.secret))).headers.location).toBe(
      '/signin?expired=yes',
    );
    expect((await enter(await halfWay(one.email), codeOf(site, two.secret))).statusCode).toBe(422);
    expect((await enter(await halfWay(one.email), two.recoveryCodes[0]!)).statusCode).toBe(422);
  });

  it('lasts five minutes', async () => {
    const { email, secret } = await withAuthenticator(site);
    const [inTime, late] = [await halfWay(email), await halfWay(email)];
    site.clock.moveOn(5 * minute - 1);
    expect((await enter(inTime, codeOf(site, secret))).headers.location).toBe('/');
    site.clock.moveOn(1);
    const answer = await enter(late, codeOf(site, secret, 1));
    expect(answer.headers.location).toBe('/signin?expired=yes');
    expect((await late.get('/signin?expired=yes')).body).toContain('more than 5 minutes');
  });

  it('asks for the password again after five wrong codes', async () => {
    const { email, secret } = await withAuthenticator(site);
    const browser = await halfWay(email);
    for (let wrong = 0; wrong < 4; wrong += 1) expect((await enter(browser, '000000')).statusCode).toBe(422);
    expect((await enter(browser, '000000')).statusCode).toBe(422);
    expect((await enter(browser, codeOf(site, secret))).headers.location).toBe('/signin?expired=yes');
    const again = await halfWay(email);
    const refused = await enter(again, codeOf(site, secret));
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1']);
    site.clock.moveOn(1000);
    expect((await enter(again, codeOf(site, secret))).headers.location).toBe('/');
  });

  it('is used up when it is finished', async () => {
    const { email, secret } = await withAuthenticator(site);
    const browser = await halfWay(email);
    const copy = newBrowser();
    copy.cookies.set('onward-sign-in-step', browser.cookies.get('onward-sign-in-step')!);
    await enter(browser, codeOf(site, secret));
    site.clock.moveOn(30_000);
    expect((await enter(copy, codeOf(site, secret))).headers.location).toBe('/signin?expired=yes');
  });

  it('ends when the account is disabled or its password changes', async () => {
    const one = await withAuthenticator(site);
    const waiting = await halfWay(one.email);
    await disableAccount(site.deps, siteActor, one.email);
    expect((await enter(waiting, codeOf(site, one.secret))).headers.location).toBe('/signin?expired=yes');

    const two = await withAuthenticator(site);
    const thief = await halfWay(two.email);
    await two.browser.post('/account/password', {
      current_password: two.password,
      password: 'grass beside a canal boat',
    });
    expect((await enter(thief, codeOf(site, two.secret))).headers.location).toBe('/signin?expired=yes');
  });

  it('takes each recovery code once, however it is typed', async () => {
    const { email, recoveryCodes } = await withAuthenticator(site);
    expect(recoveryCodes).toHaveLength(10);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first, second] = recoveryCodes as [string, string];
    expect((await enter(await halfWay(email), first)).statusCode).toBe(303);
    expect((await enter(await halfWay(email), first)).statusCode).toBe(422);
    const twice = [await halfWay(email), await halfWay(email)];
    const spelt = second.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'L');
    const answers = await Promise.all(twice.map((browser) => enter(browser, spelt)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422]);
  });

  it('is audited with its method, also when it fails', async () => {
    const { id, email, secret, recoveryCodes } = await withAuthenticator(site);
    const browser = await halfWay(email);
    await enter(browser, '000000');
    await enter(browser, codeOf(site, secret));
    await enter(await halfWay(email), recoveryCodes[0]!);
    const entries = await storedEntries(site.deps.db, { action: 'session.started', actorId: id });
    expect(entries.map(({ outcome, details }) => `${outcome}: ${details.method}`)).toEqual([
      'done: password',
      'refused: code',
      'done: password and code',
      'done: password and recovery code',
    ]);
  });

  it('starts a new session and ends the one the browser had', async () => {
    const { email, secret } = await withAuthenticator(site);
    const browser = await halfWay(email);
    await enter(browser, codeOf(site, secret));
    const before = browser.cookies.get('onward-session')!;
    site.clock.moveOn(16 * minute);
    expect((await browser.get('/account/password')).headers.location).toBe(
      '/signin?next=%2Faccount%2Fpassword',
    );
    await browser.signIn(email, '/account/password');
    // Between the steps the browser keeps its old session, which gets no fresher.
    expect(browser.cookies.get('onward-session')).toBe(before);
    expect((await browser.get('/account/password')).statusCode).toBe(303);
    await enter(browser, codeOf(site, secret));
    expect(browser.cookies.get('onward-session')).not.toBe(before);
    expect((await browser.get('/account/password')).statusCode).toBe(200);
    const planted = newBrowser();
    planted.cookies.set('onward-session', before);
    expect(await isIn(planted)).toBe(false);
  });

  it.each([
    [-2, 422],
    [-1, 303],
    [1, 303],
    [2, 422],
  ])('answers a code of %i times thirty seconds from now with %i', async (periods, status) => {
    const { email, secret } = await withAuthenticator(site);
    site.clock.moveOn(2 * minute);
    expect((await enter(await halfWay(email), codeOf(site, secret, periods))).statusCode).toBe(status);
  });

  it.each([
    '',
    ' ',
    '12345',
    '1234567',
    'abcdef',
    '１２３４５６',
    '-12345',
    '1e5',
    '000000'.repeat(20),
  ])('does not take “%s” as a code', async (code) => {
    const { email } = await withAuthenticator(site);
    const answer = await enter(await halfWay(email), code);
    expect(answer.statusCode).toBe(422);
    expect(parse(answer.body).querySelector('.nhsuk-error-summary')?.text).toContain(
      'The code is not right. Enter the 6 digits',
    );
    expect(parse(answer.body).querySelector('main a[href="/contact"]')).not.toBeNull();
  });
});

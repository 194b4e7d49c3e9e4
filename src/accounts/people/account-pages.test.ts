import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder, testPassword } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { subjectsTo } from '../../../test/network/mailbox.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import { type PlainBrowser, somebody, withAuthenticator } from '../../../test/people/second-factors.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const minute = 60_000;
const better = 'grass beside a canal boat';
const isIn = async (browser: PlainBrowser) => (await browser.get('/account')).statusCode === 200;
const sessionsIn = (body: string) =>
  parse(body)
    .querySelectorAll('input[name=session]')
    .map((each) => each.getAttribute('value')!);

/** Another browser in which the same person is signed in. */
async function another(email: string): Promise<PlainBrowser> {
  const browser = plainBrowser(site.app);
  expect(await browser.signIn(email)).toBe('/');
  return browser;
}

describe('changing a name', () => {
  it('works in every process soon, and is audited', async () => {
    const { id, browser } = await somebody(site);
    expect((await browser.post('/account/name', { name: '  Zoë Ó Súilleabháin ' })).headers.location).toBe(
      '/account?done=name',
    );
    expect((await browser.get('/account')).body).toContain('Zoë Ó Súilleabháin');
    const renamed = await storedEntries(site.deps.db, { action: 'account.renamed', subjectId: id });
    expect(renamed).toMatchObject([{ outcome: 'done' }]);
  });

  it.each([
    ['', 'Enter a name'],
    ['   ', 'Enter a name'],
    ['x'.repeat(121), 'Name must have at most 120 characters'],
    ['Two\nlines', 'Name must be one line, without invisible characters'],
    ['Hidden\u202ename', 'Name must be one line, without invisible characters'],
    ['Tab\tname', 'Name must be one line, without invisible characters'],
    ['Wide\u200bspace', 'Name must be one line, without invisible characters'],
    ['\u200d', 'Enter a name'],
  ])('is refused for “%s”, with the form shown again', async (name, message) => {
    const { browser } = await somebody(site);
    const answer = await browser.post('/account/name', { name });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain(message);
    expect((await browser.get('/account')).body).toContain('Test Person');
  });
});

describe('a name that needs zero-width joiners', () => {
  // A ZWNJ between two letters of Persian, and a ZWJ within an emoji.
  it.each(['علی\u200cرضا کریمی', 'Jo 👩🏽\u200d⚕️'])('is taken as it is: “%s”', async (name) => {
    const { browser } = await somebody(site);
    expect((await browser.post('/account/name', { name })).headers.location).toBe('/account?done=name');
    expect((await browser.get('/account')).body).toContain(name);
  });
});

describe('the job title and telephone number of a person', () => {
  it('are shown on the account, and audited without their words', async () => {
    const { id, browser } = await somebody(site);
    const typed = { job_title: '  Link worker ', telephone: ' 01632 960 001' };
    const { headers } = await browser.post('/account/contact', typed);
    expect(headers.location).toBe('/account?done=contact');
    const { body } = await browser.get('/account');
    expect(body).toContain('Link worker');
    expect(body).toContain('01632 960 001');
    const changed = await storedEntries(site.deps.db, { action: 'account.contact-changed', subjectId: id });
    expect(changed).toMatchObject([{ outcome: 'done' }]);
    await browser.post('/account/contact', { job_title: '', telephone: '' });
    expect((await browser.get('/account')).body).not.toContain('01632 960 001');
  });

  it.each([
    [{ job_title: 'x'.repeat(81), telephone: '' }, 'Job title must have at most 80 characters'],
    [{ job_title: 'Link\u202eworker', telephone: '' }, 'Job title must be one line'],
    [{ job_title: '', telephone: 'ask reception' }, 'Enter a telephone number'],
  ])('are refused for %j, with the form shown again', async (typed, message) => {
    const { browser } = await somebody(site);
    const answer = await browser.post('/account/contact', typed);
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain(message);
    expect((await browser.get('/account')).body).toContain('Not entered');
  });
});

describe('the account page of somebody who only reads reports', () => {
  it('offers neither emails about referrals nor a leave from them', async () => {
    const rows = async (role: 'manager' | 'referrer') => {
      const { page } = await (await signedInBrowser(site, { role })).open('/account');
      return page.querySelectorAll('main dt').map(({ text }) => text.trim());
    };
    expect(await rows('referrer')).toEqual(expect.arrayContaining(['Emails', 'Leave']));
    const ofManager = await rows('manager');
    expect(ofManager).toContain('Password');
    for (const name of ['Emails', 'Leave']) expect(ofManager).not.toContain(name);
  });
});

describe('changing a password', () => {
  it('speaks of keys only to people with API access', async () => {
    const { email } = await aTokenHolder(site.deps);
    const { browser } = await somebody(site, { hasApiAccess: false });
    expect((await (await another(email)).get('/account/password')).body).toContain('make new keys');
    expect((await browser.get('/account/password')).body).not.toContain('Access tokens');
  });

  it('ends all other sessions and the access tokens', async () => {
    const { id, email, password, token } = await aTokenHolder(site.deps);
    const [browser, other] = [await another(email), await another(email)];
    const answer = await browser.post('/account/password', { current_password: password, password: better });
    expect(answer.headers.location).toBe('/account?done=password');
    expect([await isIn(browser), await isIn(other)]).toEqual([true, false]);
    const call = () =>
      site.app.inject({ url: '/api/token/status', headers: { authorization: `Bearer ${token}` } });
    expect((await call()).statusCode).toBe(401);
    const fresh = plainBrowser(site.app);
    expect((await fresh.post('/signin', { email, password })).statusCode).toBe(422);
    expect((await fresh.post('/signin', { email, password: better })).statusCode).toBe(303);
    expect(await subjectsTo(site, email)).toEqual(['Your password was changed – Onward test site']);
    const changed = await storedEntries(site.deps.db, { action: 'account.password_changed', subjectId: id });
    expect(changed.map(({ details }) => ({ details }))).toEqual([{ details: {} }]);
  });

  it('needs the current one and a good new one, and shows neither', async () => {
    const { password, browser } = await somebody(site);
    const change = (current_password: string, next: string) =>
      browser.post('/account/password', { current_password, password: next });
    const wrong = await change('not the password at all', better);
    expect([wrong.statusCode, wrong.body.includes('Current password is incorrect')]).toEqual([422, true]);
    const short = await change(password, 'marsh-tin7');
    expect([short.statusCode, short.body.includes('15 characters or more')]).toEqual([422, true]);
    for (const { body } of [wrong, short])
      expect(body).not.toMatch(/canal boat|marsh-tin7|long enough|not the password at/);
    expect((await change(password, better)).statusCode).toBe(303);
  });

  it('allows eight characters with a second factor', async () => {
    const { password, browser } = await withAuthenticator(site);
    expect((await browser.get('/account/password')).body).toContain('At least 8 characters');
    const change = (next: string) =>
      browser.post('/account/password', { current_password: password, password: next });
    expect((await change('marsh-7')).statusCode).toBe(422);
    expect((await change('marsh-tin7')).statusCode).toBe(303);
  });

  it('slows down guesses in a session left open', async () => {
    const { password, browser } = await somebody(site);
    const change = (current_password: string) =>
      browser.post('/account/password', { current_password, password: better });
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect((await change(`guess number ${wrong}`)).statusCode).toBe(422);
    expect((await change(password)).statusCode).toBe(429);
    site.clock.moveOn(1000);
    expect((await change(password)).statusCode).toBe(303);
  });

  it('happens once when two changes come together', async () => {
    const { password, browser } = await somebody(site);
    const change = (next: string) =>
      browser.post('/account/password', { current_password: password, password: next });
    const answers = await Promise.all([change(better), change('moss under the old viaduct')]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422]);
  });
});

describe('the account page', () => {
  it('shows the person, and the header links to it', async () => {
    const { email, browser } = await somebody(site, {
      name: 'Wilma <b>Worker</b>',
      organisation: { name: 'Infirmary Lane Surgery' },
    });
    const page = parse((await browser.get('/account')).body);
    const text = page.querySelector('main')!.structuredText;
    for (const each of [
      email,
      'Wilma <b>Worker</b>',
      'Makes referrals',
      'Infirmary Lane Surgery',
      'this one',
    ])
      expect(text).toContain(each);
    expect(text, 'operators change it').toContain('To change your email address');
    const headings = page.querySelectorAll('main h2').map((each) => each.text);
    expect([headings[0], headings.at(-1)]).toEqual(['Two-step sign-in', 'Connect your own system']);
    expect(page.querySelector('header a[href="/account"]')?.text).toContain('Wilma');
  });

  it('lists the sessions, and ends one or all others', async () => {
    const { email, browser } = await somebody(site);
    const [second, third] = [await another(email), await another(email)];
    const { body } = await browser.get('/account');
    expect(body).toContain('From the IP address 127.0.0.1.');
    expect(sessionsIn(body)).toHaveLength(2);
    expect(body).not.toContain(browser.cookies.get('onward-session')!);
    const ended = sessionsIn((await second.get('/account')).body);
    const mine = ended.filter((each) => !sessionsIn(body).includes(each));
    await second.post('/account/sessions/end', { session: mine[0]! });
    expect([await isIn(browser), await isIn(second), await isIn(third)]).toEqual([false, true, true]);
    await another(email);
    await third.post('/account/sessions/end-others', {});
    expect([await isIn(second), await isIn(third)]).toEqual([false, true]);
    expect(sessionsIn((await third.get('/account')).body)).toEqual([]);
  });

  it('describes browsers in its own words only', async () => {
    const { email, browser } = await somebody(site);
    const iPhone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';
    const form = { email, password: testPassword };
    for (const userAgent of [iPhone, '<b>evil</b>'])
      await plainBrowser(site.app).post('/signin', form, { 'user-agent': userAgent });
    const { body } = await browser.get('/account');
    expect(body).toContain('<strong>Safari on iOS</strong>');
    expect(body).toContain('<strong>A browser or program that we do not know</strong>');
    expect(body).not.toContain('evil');
    const started = await storedEntries(site.deps.db, { action: 'session.started' });
    const browsers = started.slice(-2).map(({ details }) => details.browser);
    expect(browsers).toEqual(['Safari on iOS', undefined]);
  });

  it('says what was just done, in its own words only', async () => {
    const { browser } = await somebody(site);
    const { headers } = await browser.post('/account/name', { name: 'Wilma Worker' });
    const banner = async (url: string) =>
      parse((await browser.get(url)).body).querySelector('.nhsuk-notification-banner--success')?.text;
    expect(await banner(headers.location!)).toContain('Your name was changed.');
    expect(await banner('/account')).toBeUndefined();
    for (const code of ['nonsense', 'toString', '__proto__', ''])
      expect((await browser.get(`/account?done=${code}`)).statusCode, code).toBe(400);
  });

  it('ends nobody else’s session', async () => {
    const [one, two] = [await somebody(site), await somebody(site)];
    await another(one.email);
    const [session] = sessionsIn((await one.browser.get('/account')).body);
    for (const id of [session!, '01a1fdee-0ed5-7668-b9e2-cc3bd2afcadc', 'nothing', '']) {
      const answer = await two.browser.post('/account/sessions/end', { session: id });
      expect(answer.statusCode).toBe(303);
    }
    await two.browser.post('/account/sessions/end-others', {});
    expect(sessionsIn((await one.browser.get('/account')).body)).toEqual([session]);
  });

  it('does not list sessions that are idle or expired', async () => {
    const { email, browser } = await somebody(site);
    await another(email);
    site.clock.moveOn(20 * minute);
    expect(sessionsIn((await browser.get('/account')).body)).toHaveLength(1);
    site.clock.moveOn(20 * minute);
    expect(sessionsIn((await browser.get('/account')).body)).toHaveLength(0);
  });

  it('is not kept by a browser or a proxy', async () => {
    const { browser } = await withAuthenticator(site);
    for (const path of ['/account', '/account/password', '/account/recovery-codes', '/signin'])
      expect((await browser.get(path)).headers['cache-control'], path).toBe('no-store');
  });
});

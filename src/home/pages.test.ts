import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeAuthenticator } from '../../test/accounts/stored.ts';
import {
  anAccount,
  aReferral,
  aService,
  aTestNhsNumber,
  aTokenHolder,
  renewToken,
} from '../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';
import { plainBrowser } from '../../test/people/plain-browser.ts';
import { codeOf } from '../../test/people/second-factors.ts';
import { signedInBrowser } from '../../test/people/signed-in-browser.ts';
import { commandLineActor, type Role } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { version } from '../platform/process/version.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

async function openAs(role: Role | undefined, url: string) {
  let cookie = '';
  if (role) {
    const { email, password } = await anAccount(site.deps, { role });
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const payload = new URLSearchParams({ email, password }).toString();
    const answer = await site.app.inject({ method: 'POST', url: '/signin', payload, headers });
    cookie = String(answer.headers['set-cookie']).split(';')[0]!;
  }
  return parse((await site.app.inject({ url, headers: { cookie } })).body);
}

async function linksFor(role?: Role): Promise<(string | undefined)[]> {
  const page = await openAs(role, '/');
  return page.querySelectorAll('main a').map((link) => link.getAttribute('href'));
}

describe('the home page', () => {
  it('leads visitors to sign in, and each role to its own work', async () => {
    expect(await linksFor()).toEqual(['/signin', '/rights', '/help', '/contact', '/reset-password']);
    expect(await linksFor('referrer')).toEqual(
      expect.arrayContaining(['/referrals?view=made', '/paper-form', '/outbox']),
    );
    expect(await linksFor('provider')).toContain('/referrals?view=received&tab=waiting');
    expect(await linksFor('operator')).toEqual(
      expect.arrayContaining(['/operator', '/referrals?view=all', '/operator/settings']),
    );
  });
});

describe('the home page of a visitor', () => {
  it('says whom to ask for an account', async () => {
    expect((await openAs(undefined, '/')).querySelector('main')!.text).toMatch(
      /If you have no account\s.*To get one, ask the people who run /s,
    );
  });

  it('says that they were signed out after a session has ended', async () => {
    const browser = await signedInBrowser(site, { role: 'referrer' });
    site.clock.moveOn(31 * 60 * 1000);
    expect((await browser.open('/')).text).toContain(
      'You have been signed out. This happens after 30 minutes',
    );
    expect((await openAs(undefined, '/')).querySelector('main')!.text).not.toContain('signed out');
  });
});

describe('the home page of somebody who is new', () => {
  it('says what to do first', async () => {
    const organisation = { name: 'Nobody Referred Yet' };
    const referrer = await signedInBrowser(site, { role: 'referrer', organisation });
    expect((await referrer.open('/')).text).toContain('You have made no referrals yet. Find a service above');
    const place = await aService(site.deps);
    const provider = await signedInBrowser(site, {
      role: 'provider',
      organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
    });
    expect((await provider.open('/')).text).toContain('Nobody has referred a person to your services yet.');
  });
});

describe('the search for a person on the home page', () => {
  it('finds by NHS number, or by last name and date of birth', async () => {
    const browser = await signedInBrowser(site, { role: 'referrer' });
    const form = (await browser.open('/')).page.querySelector(
      'form[aria-label="Find a person’s referrals"]',
    )!;
    const names = form.querySelectorAll('input').map((each) => each.getAttribute('name'));
    expect(names).toEqual(['nhs_number', 'family_name', 'birth_day', 'birth_month', 'birth_year']);
    const [method, path] = [form.getAttribute('method'), form.getAttribute('action')!];
    expect([method, path]).toEqual(['post', '/referrals/search']);
    expect((await browser.send(path, { nhs_number: '9990000018' })).text).toContain('No referrals found');
  });
});

describe('the switch between a team and oneself on the home page', () => {
  it('is there for somebody with colleagues alone', async () => {
    const organisation = { name: 'Two At Work' };
    const first = await signedInBrowser(site, { role: 'referrer', organisation });
    const mine = 'main a[href="/?mine=yes"]';
    expect((await first.open('/')).page.querySelector(mine)).toBeNull();
    await anAccount(site.deps, { role: 'referrer', organisation });
    expect((await first.open('/')).page.querySelector(mine)).not.toBeNull();
    const { page } = await first.open('/?mine=yes');
    expect(page.querySelector(`${mine}[aria-current]`)).not.toBeNull();
    expect(page.querySelector('.onward-tile a')?.getAttribute('href')).toBe(
      '/referrals?view=made&mine=yes&tab=waiting',
    );
  });
});

describe('the home page of an operator', () => {
  it('says in words whether the site is safe', async () => {
    const browser = await signedInBrowser(site, { role: 'operator' });
    const tiles = async () =>
      (await browser.open('/')).page
        .querySelectorAll('.onward-tile')
        .map(({ text }) => text.trim().replaceAll(/\s+/g, ' '));
    expect(await tiles()).toEqual(
      expect.arrayContaining([
        '0 Undelivered messages: OK',
        'None Last backup: Check',
        'Never Audit chain checked: Check',
        expect.stringMatching(/^\d+ Services to check: /),
        expect.stringMatching(/^\d+% Disk free: /),
      ]),
    );
    await browser.send('/operator/audit/check', {});
    const at = new Date(site.clock.now().getTime() - 24 * 60 * 60 * 1000);
    await inTransaction(site.deps.db, (trx) =>
      recordAudit(trx, { at, actor: commandLineActor, action: 'site.backed_up', details: {} }),
    );
    expect(await tiles()).toEqual(
      expect.arrayContaining(['1 day ago Last backup: OK', 'Today Audit chain checked: OK']),
    );
  });
});

describe('a complaint about a record', () => {
  it('is on operators’ home page, with its day of acknowledgement', async () => {
    const complaint = {
      kind: 'complain',
      name: 'Kay Moss',
      contact: '07700 900123, after 6pm',
      words: 'It has a wrong diagnosis.',
    };
    expect((await plainBrowser(site.app).post('/rights', complaint)).statusCode).toBe(303);
    const { page } = await (await signedInBrowser(site, { role: 'operator' })).open('/');
    const tile = page.querySelectorAll('.onward-tile').find(({ text }) => text.includes('about records'));
    expect(tile?.text.replaceAll(/\s+/g, ' ')).toMatch(
      /1 Requests about records, next by .* 20\d\d.*Act now/,
    );
  });
});

describe('the home page of somebody without a second factor', () => {
  it('asks them to set one up, which leads back to it', async () => {
    const browser = await signedInBrowser(site, { role: 'referrer' });
    const link = 'a[href="/account/second-factor?next=%2F"]';
    expect((await browser.open('/')).page.querySelector(link)).not.toBeNull();
    const { page: choice } = await browser.open('/account/second-factor?next=%2F');
    expect(choice.querySelector('nav[aria-label=Back] a')!.getAttribute('href')).toBe('/');
    const begin = choice.querySelector('form[action^="/account/authenticator"]')!.getAttribute('action')!;
    const { page: app } = await browser.open((await browser.send(begin, {})).location!);
    const confirm = app.querySelector('form[action*="/confirm"]')!.getAttribute('action')!;
    const secret = app.querySelector('#authenticator-key')!.text.replaceAll(' ', '');
    const { page: codes } = await browser.send(confirm, { code: codeOf(site, secret) });
    expect(codes.querySelector('main a.nhsuk-button')?.getAttribute('href')).toBe('/');
    expect((await browser.open('/account/second-factor?next=%2F')).location).toBe('/');
    expect((await browser.open('/')).page.querySelector(link)).toBeNull();
  });

  it('asks nobody who has one', async () => {
    const browser = await signedInBrowser(site, { role: 'referrer' });
    const link = 'a[href="/account/second-factor?next=%2F"]';
    await storeAuthenticator(site.deps.db, browser.id, site.clock.now());
    expect((await browser.open('/')).page.querySelector(link)).toBeNull();
  });
});

describe('every page', () => {
  it('names the version in its footer', async () => {
    for (const url of ['/', '/signin', '/no-such-page'])
      expect((await openAs(undefined, url)).querySelector('footer')!.text, url).toContain(
        `Onward ${version},`,
      );
  });

  it('says it is not for emergencies, a form also in its fields', async () => {
    const { serviceId } = await aService(site.deps);
    const form = await openAs('referrer', `/referrals/new?service=${serviceId}`);
    expect(form.querySelector('main form')!.text).toContain('This is not for emergencies: call 999');
    for (const page of [form, await openAs(undefined, '/'), await openAs('provider', '/referrals')])
      expect(page.querySelector('footer')!.text).toMatch(/Not for emergencies\.[^.]*call 999[^.]*call 111/);
  });
});

describe('a page that somebody may not open', () => {
  it('says who can help, and leads on', async () => {
    const page = await openAs('referrer', '/operator');
    const links = page.querySelectorAll('main a').map((link) => link.getAttribute('href'));
    expect(links).toEqual(['/contact', '/']);
    expect(page.querySelector('main')!.text).toMatch(/You are signed in as [^.]+\. If you need this/);
  });
});

describe('a page that does not exist', () => {
  it('has the header of the person who looked for it', async () => {
    const links = async (role?: Role) =>
      (await openAs(role, '/nowhere')).querySelectorAll('header a').map((link) => link.getAttribute('href'));
    expect(await links('operator')).toEqual(expect.arrayContaining(['/account', '/referrals', '/operator']));
    expect(await links()).toContain('/signin');
    const advice = (await openAs(undefined, '/nowhere')).querySelectorAll('main a');
    expect(advice.map((link) => link.getAttribute('href'))).toEqual(['/', '/signin']);
  });

  it('leads back from a form’s address, and names no method', async () => {
    const main = (await openAs('operator', '/operator/site/logo/remove')).querySelector('main')!.text;
    expect(main).toContain('Go to the page with the form');
    expect(main).not.toContain('POST');
  });
});

describe('what a referrer viewed recently', () => {
  it('is on their home page, the last first, and on nobody else’s', async () => {
    const organisation = { name: 'Recently Viewed Surgery' };
    const referrer = await signedInBrowser(site, { role: 'referrer', organisation });
    const colleague = await signedInBrowser(site, { role: 'referrer', organisation });
    const walks = await aService(site.deps, { serviceName: 'Weekly walks' });
    const choir = await aService(site.deps, { serviceName: 'Choir' });
    const refuge = await aService(site.deps, { serviceName: 'Tuesday refuge' });
    const { headers } = await aTokenHolder(site.deps, { organisation });
    const operator = await aTokenHolder(site.deps, { role: 'operator' });
    const refer = async (service: string) => {
      const payload = aReferral(service, { allow_duplicate: true });
      const answer = await site.app.inject({ method: 'POST', url: '/api/referrals', headers, payload });
      return `/referrals/${answer.json().id}`;
    };
    const first = await refer(walks.serviceId);
    const second = await refer(choir.serviceId);
    for (const path of [first, await refer(refuge.serviceId), second, first])
      expect((await referrer.open(path)).status).toBe(200);
    await site.app.inject({
      method: 'PUT',
      url: `/api/library/services/${refuge.serviceId}/referral_settings`,
      headers: operator.headers,
      payload: { accepts: true, channels: ['inbox'], sensitive: true },
    });
    const list = async ({ open }: typeof referrer) => (await open('/')).text.split('Recently viewed')[1];
    expect(await list(referrer)).toMatch(/^\s+.*, Weekly walks .*\s+.*, Choir /);
    expect(await list(referrer)).not.toContain('Tuesday refuge');
    expect(await list(colleague)).toBeUndefined();
  });
});

describe('what needs somebody, on the home page', () => {
  it('says why, since when, and has one button, for either side', async () => {
    const organisation = { name: 'Since When Surgery' };
    const place = await aService(site.deps);
    const ofProvider = {
      role: 'provider' as const,
      organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
    };
    const referrer = await signedInBrowser(site, { role: 'referrer', organisation });
    const provider = await signedInBrowser(site, ofProvider);
    const sender = await aTokenHolder(site.deps, { organisation });
    const answerer = await aTokenHolder(site.deps, ofProvider);
    const refer = async (family_name: string, n: number) => {
      const { patient, ...rest } = aReferral(place.serviceId);
      const payload = { ...rest, patient: { ...patient, family_name, nhs_number: aTestNhsNumber(n) } };
      const { headers } = sender;
      const answer = await site.app.inject({ method: 'POST', url: '/api/referrals', headers, payload });
      return `/api/referrals/${answer.json().id}`;
    };
    const send = async (url: string, payload: object, etag?: string) => {
      const headers = { ...answerer.headers, ...(etag && { 'if-match': etag }) };
      const answer = await site.app.inject({ method: 'POST', url, headers, payload });
      expect(answer.statusCode, answer.body).toBeLessThan(300);
    };
    const nextDay = async () => {
      site.clock.moveOn(24 * 60 * 60 * 1000);
      for (const holder of [sender, answerer]) await renewToken(site.deps, holder);
      for (const browser of [referrer, provider]) await browser.signIn();
      return site.clock.now().toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
    };
    const rowOf = async ({ open }: typeof referrer, name: string) =>
      (await open('/')).page
        .querySelectorAll('.onward-referrals tbody tr')
        .find(({ text }) => text.includes(name))!
        .querySelectorAll('td')
        .map(({ text }) => text.trim().replaceAll(/\s+/g, ' '));

    const madeOn = await nextDay();
    const [declined, asked] = [await refer('Declined', 501), await refer('Asked', 502)];
    const askedOn = await nextDay();
    await send(`${asked}/messages`, { text: 'Does she need a lift?' });
    const declinedOn = await nextDay();
    const { headers } = await site.app.inject({ url: declined, headers: answerer.headers });
    const status_reason = { code: 'no-capacity', text: 'Full.' };
    await send(`${declined}/reject`, { status_reason }, String(headers.etag));
    await nextDay();

    expect((await rowOf(referrer, 'Asked')).slice(2)).toEqual([
      expect.stringMatching(/^Opened, not answered 1 new message/),
      `Since ${askedOn}`,
      '',
      expect.stringMatching(/^Answer the question: Margaret Asked/),
    ]);
    expect((await rowOf(referrer, 'Declined')).slice(2)).toEqual([
      expect.stringMatching(/^Declined/),
      `Since ${declinedOn}`,
      '',
      expect.stringMatching(/^Find another service: Margaret Declined/),
    ]);
    expect((await rowOf(provider, 'Asked')).slice(3)).toEqual([
      `Since ${madeOn}`,
      expect.stringContaining('in '),
      expect.stringMatching(/^Answer the referral: Margaret Asked/),
    ]);
  });
});

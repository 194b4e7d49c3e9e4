import { describe, expect, it } from 'vitest';
import { aService } from '../../../test/app/builders.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { makeOrdinary, markSensitive } from '../../../test/library/stored.ts';
import { rowInWords } from '../../../test/people/row-in-words.ts';
import { type Browser, type Form, referralPagesFixture } from '../../../test/referrals/pages-fixture.ts';
import { changeReferral } from '../../../test/referrals/stored.ts';
import { dayMs } from '../../platform/durations.ts';
import { newId } from '../../platform/ids/index.ts';

// What both sides, and operators, do with a referral on its pages.

const {
  site,
  place,
  browser,
  referrer,
  provider,
  aPerson,
  anOpenForm,
  withoutQuery,
  aReferralPage,
  newestName,
} = await referralPagesFixture();

describe('what needs the reader', () => {
  const waiting = '/referrals?view=made&tab=waiting';
  const isListed = async (path: string, list = waiting) =>
    (await referrer.open(list)).page.querySelector(`a[href^="${path}?"]`) !== null;

  it('keeps a question that was read until it is answered', async () => {
    const path = await aReferralPage();
    await provider.send(`${path}/messages`, { text: 'Is she free on Tuesdays?' });
    await referrer.open(path);
    expect(await isListed(path), 'once it was read').toBe(true);
    const asked = await referrer.open(path);
    expect(asked.text).toContain('Waiting for you to answer a question');
    expect(asked.page.querySelector('.onward-case__side')!.text).toMatch(
      /answer a question\.\s+[^.]+’s decision is due by 4 December 2026\. In 13 days\./,
    );
    const side = asked.page.querySelector('.onward-case__side')!;
    const link = side.querySelector('a[href="#answer"]')!;
    expect(link.text.trim()).toBe('Go to the question');
    expect(link.classList.contains('nhsuk-button--secondary'), 'only the form sends').toBe(true);
    expect(asked.page.querySelector('#answer')!.text).toContain('Is she free on Tuesdays?');
    const listed = (await referrer.open(waiting)).page.querySelector(`a[href^="${path}?"]`)!.closest('tr')!;
    expect(listed.querySelector('[data-heading=Due]')!.text).toContain('for the service');
    const sent = asked.page.querySelectorAll('main button').map(({ text }) => text.trim());
    const answer = sent.indexOf('Send the answer');
    expect(sent[answer + 1], 'the lesser choice comes after it').toBe('No answer is needed');
    expect(asked.page.querySelector('label[for=text]')!.closest('details')).toBeNull();
    const answered = await referrer.send(`${path}/messages`, { text: 'Yes, each week.', answers: 'yes' });
    expect((await referrer.open(answered.location)).text).toContain('Your answer was sent');
    expect(await isListed(path)).toBe(false);
    await provider.open(path);
    const received = await provider.open('/referrals?view=received&tab=waiting');
    const row = received.page.querySelector(`a[href^="${path}?"]`)!.closest('tr')!;
    expect(row.text, 'an answer asks nothing').not.toContain('answer a question');
  });

  it('has a link on the home page that names what to do', async () => {
    const path = await aReferralPage();
    const linkOf = async (who: Browser) =>
      (await who.open('/')).page
        .querySelectorAll(`.onward-worklist__action a[href^="${path}"]`)
        .map((link) => [link.childNodes[0]!.text, link.getAttribute('href')]);
    expect(await linkOf(provider)).toEqual([['Answer the referral', path]]);
    await provider.send(`${path}/messages`, { text: 'Is she free on Mondays?' });
    expect(await linkOf(referrer)).toEqual([['Answer the question', `${path}#answer`]]);
    await referrer.send(`${path}/messages`, { text: 'She is.' });
    await provider.open(path);
    await provider.send(`${path}/reject`, { version: '2', reason_code: 'no-capacity' });
    expect(await linkOf(referrer)).toEqual([['Find another service', `${path}/reroute`]]);
    await referrer.open(path);
  });

  it('keeps a question until somebody says that it needs no answer', async () => {
    const path = await aReferralPage();
    await provider.send(`${path}/messages`, { text: 'Can you ring us?' });
    await referrer.open(path);
    const { location } = await referrer.send(`${path}/no-answer-needed`, {});
    expect(location).toBe(`${path}?done=question#done`);
    expect(await isListed(path)).toBe(false);
    expect((await referrer.open(path)).text).not.toMatch(
      /Answer the question|Send the answer|Go to the question/,
    );
  });

  it('says to read a message on a referral that has ended, once', async () => {
    const path = await aReferralPage();
    await referrer.send(`${path}/cancel`, { version: '2', reason_code: 'client-declined' });
    await referrer.send(`${path}/messages`, { text: 'Thank you all the same.' });
    const rowIn = async (address: string) =>
      (await provider.open(address)).page.querySelector(`a[href^="${path}"]`)!.closest('tr')!;
    const next = (await rowIn('/referrals?view=received')).querySelector('.onward-worklist__next')!;
    expect(next.text.trim()).toBe('Read the message');
    const atHome = await rowIn('/');
    expect(atHome.text.match(/Read the message/g)).toHaveLength(1);
    expect(atHome.text).not.toContain('Nothing more to do');
    await provider.open(path);
  });

  it('has no referral that the referrer took back', async () => {
    const own = await aReferralPage();
    await referrer.send(`${own}/cancel`, { version: '2', reason_code: 'client-declined' });
    expect(await isListed(own)).toBe(false);
    expect((await referrer.open(own)).text).not.toContain('Find another service, or close');
    const operator = await browser({ role: 'operator' });
    const { page } = await operator.open('/referrals?view=all&tab=ended');
    const row = page.querySelector(`a[href^="${own}?"]`)!.closest('tr')!;
    expect(row.text, 'for operators').toContain('Nothing more to do');
    const declined = await aReferralPage();
    await provider.open(declined);
    await provider.send(`${declined}/reject`, { version: '2', reason_code: 'no-capacity' });
    expect(await isListed(declined)).toBe(true);
  });
});

describe('the pages', () => {
  it('let both sides write, and put a person on the waiting list', async () => {
    // Made a moment later than the others, and so the first of the list.
    site.clock.moveOn(1);
    const url = await aReferralPage();
    expect((await provider.send(`${url}/messages`, { text: ' ' })).text).toContain('Write your message');
    expect((await provider.send(`${url}/messages`, { text: 'Is a morning good?' })).location).toBe(
      `${url}?done=message#done`,
    );
    expect((await referrer.open('/referrals')).text).toContain('1 new message');
    expect((await referrer.open(url)).text).toContain('Messages 1 new');
    expect((await referrer.open('/referrals')).text).not.toContain('1 new message');
    await provider.send(`${url}/accept`, { version: '2' });
    const typed = {
      version: '3',
      reason_code: 'no-capacity',
      reason_text: 'Full.',
      expected_day: '31',
      expected_month: '2',
    };
    const refused = await provider.send(`${url}/hold`, { ...typed, expected_year: '2027' });
    expect(refused.page.querySelector('.nhsuk-error-summary a')?.getAttribute('href')).toBe('#expected_day');
    await provider.send(`${url}/hold`, {
      ...typed,
      expected_day: '5',
      expected_month: '4',
      expected_year: '2027',
    });
    expect((await referrer.open(url)).text).toContain('A place is expected on 5 April 2027');
    const waitingList = await provider.open('/referrals?view=received&tab=waiting-list');
    expect(waitingList.page.querySelector('th .onward-sort')!.text).toContain('Check by');
    const change = await provider.open(`${url}/change-wait`);
    const codes = change.page
      .querySelectorAll('[name=reason_code]')
      .map((each) => each.getAttribute('value'));
    expect(codes).toEqual(['no-capacity', 'failed-contact', 'missing-information', 'other']);
    expect(change.page.querySelector('[name=reason_code][checked]')?.getAttribute('value')).toBe(
      'no-capacity',
    );
    expect(change.page.querySelector('#reason_text')?.text.trim()).toBe('Full.');
    expect(Number(change.page.querySelector('#expected_day')?.getAttribute('value'))).toBe(5);
    const past = { ...typed, version: '4', expected_day: '1', expected_month: '4', expected_year: '2020' };
    const over = await provider.send(`${url}/change-wait`, past);
    expect([over.status, over.text.includes('The date must not be in the past')]).toEqual([422, true]);
    const later = { expected_month: '6', expected_year: '2027' };
    await provider.send(`${url}/change-wait`, { ...past, ...later, reason_text: 'Still full.' });
    const held = (await referrer.open(url)).text;
    expect(held).toMatch(/A place is expected on 1 June 2027.*Waiting list changed.*Still full\./s);
    expect((await provider.open(`${url}/complete`)).text).toContain('0 to 10');
    const wrong = { version: '5', outcome_code: 'other', outcome_text: 'Well.', 'pam-level_end': '9' };
    const measured = await provider.send(`${url}/complete`, wrong);
    expect(measured.page.querySelector('.nhsuk-error-summary a')?.getAttribute('href')).toBe(
      '#pam-level_end',
    );
    expect(measured.page.querySelector('details[open] #pam-level_end')).not.toBeNull();
  });

  it('show a referrer what waits for them, for as long as it does', async () => {
    const worker = await browser({ role: 'referrer', organisation: { name: 'Harbour Surgery' } });
    const colleague = await browser({ role: 'referrer', organisation: { name: 'Moor Surgery' } });
    const formPath = `/referrals/new?service=${place.serviceId}`;
    const make = async (more: Form = {}) => {
      const { page } = await worker.open(formPath);
      const hidden = page.querySelectorAll('main form input[type=hidden]');
      const form = hidden.map((each) => [each.getAttribute('name'), each.getAttribute('value')]);
      return (
        await worker.send('/referrals/new', { ...Object.fromEntries(form), ...aPerson(), ...more })
      ).location.split('?')[0]!;
    };
    /** The numbers on the home page, by their names. */
    const tiles = async (who: Browser) => {
      const items = (await who.open('/')).page.querySelectorAll('.onward-tile');
      return items.map(({ text }) => text.trim().replaceAll(/\s+/g, ' '));
    };
    const nothing = ['0 Need action'];
    const list = async () => {
      const { page } = await worker.open('/referrals?view=made&waiting=yes');
      return page.querySelectorAll('td a').map((link) => withoutQuery(link.getAttribute('href')!));
    };
    const [rejected, written, quiet] = [await make(), await make(), await make()];
    expect([await tiles(worker), await list()]).toEqual([nothing, []]);
    await provider.send(`${rejected}/reject`, { version: '2', reason_code: 'other', reason_text: 'Full.' });
    await provider.send(`${written}/messages`, { text: 'Is a morning good?' });
    await worker.send(`${quiet}/messages`, { text: 'She is shy.' });
    const draft = await make({ save_draft: 'yes' });
    expect(await tiles(worker)).toEqual([
      '3 Need action',
      '1 Declined or closed',
      '1 Messages to read or answer',
      '1 Drafts',
    ]);
    // A person whom nobody helps comes before a message, and a draft last.
    expect(await list()).toEqual([rejected, written, draft]);
    for (const who of [worker, provider])
      for (const tile of (await who.open('/')).page.querySelectorAll('.onward-tile')) {
        const href = (tile.querySelector('a') ?? tile).getAttribute('href')!;
        const rows = (await who.open(href)).page.querySelectorAll('tbody tr');
        expect(rows.length, tile.text).toBe(Number.parseInt(tile.text.trim(), 10));
      }
    expect(await tiles(colleague)).toEqual(nothing);
    await worker.open(written);
    // Once read, a question still waits for an answer.
    expect(await list()).toEqual([rejected, written, draft]);
    await worker.send(`${written}/messages`, { text: 'It is.' });
    await make({ reroutes: rejected.split('/').at(-1)! });
    expect(await tiles(worker)).toEqual(expect.arrayContaining(['1 Need action', '1 Drafts']));
    expect(await list()).toEqual([draft]);
    await provider.send(`${quiet}/reject`, { version: '2', reason_code: 'other', reason_text: 'Full.' });
    expect(new Set(await list())).toEqual(new Set([draft, quiet]));
    const { location } = await worker.send(`${quiet}/seen-to`, {});
    expect((await worker.open(location!)).text).toMatch(/Saved: the person was helped another way/);
    expect(await list()).toEqual([draft]);
  });

  it('find a person, and refer them elsewhere with what is known', async () => {
    const url = await aReferralPage();
    const name = newestName();
    const search = { family_name: name, birth_day: '9', birth_month: '3', birth_year: '1947' };
    expect((await provider.send('/referrals/search', search)).text).toContain(`Margaret ${name}`);
    const byNumber = {
      nhs_number: '999 000 0018',
      family_name: name,
      birth_day: '',
      birth_month: '',
      birth_year: '',
    };
    expect((await provider.send('/referrals/search', byNumber)).status).toBe(200);
    const mistyped = await provider.send('/referrals/search', { ...byNumber, nhs_number: '999 000 0017' });
    expect([mistyped.status, mistyped.text]).toEqual([422, expect.stringContaining('Check the NHS number')]);
    const nameOnly = { family_name: name, birth_day: '', birth_month: '', birth_year: '' };
    const noDate = await provider.send('/referrals/search', nameOnly);
    expect(noDate.text).toContain('Enter the date of birth, or the NHS number');
    expect(noDate.text).not.toContain('real date');
    const half = await provider.send('/referrals/search', { ...search, family_name: '' });
    expect([half.status, half.text.includes('Enter the person’s last name')]).toEqual([422, true]);
    expect((await referrer.open(`${url}/reroute`)).location).toBe(url);
    await provider.send(`${url}/reject`, {
      version: '2',
      reason_code: 'other',
      reason_text: 'Try the choir.',
    });
    const other = await aService(site.deps, { serviceName: 'Thursday choir' });
    const found = await referrer.open(`${url}/reroute?search=choir`);
    const way = found.page
      .querySelector('a[href*="reroutes="]')
      ?.getAttribute('href')
      ?.replaceAll('&amp;', '&');
    expect(way).toContain(`service=${other.serviceId}`);
    const { page } = await referrer.open(way!);
    expect(page.querySelector('#family_name')?.getAttribute('value')).toBe(name);
    expect(page.querySelector('[name=agreement_basis][checked]')).toBeNull();
    const hidden = page.querySelectorAll('main form input[type=hidden]');
    const form = Object.fromEntries(
      hidden.map((each) => [each.getAttribute('name'), each.getAttribute('value')]),
    );
    const made = await referrer.send(way!.replace(/&.*/, ''), { ...form, ...aPerson() } as Form);
    expect(made.status).toBe(303);
    expect(
      (await referrer.open(url)).page.querySelector(`a[href^="${withoutQuery(made.location)}"]`),
    ).not.toBeNull();
  });

  it('say whose turn it is to somebody who refers and provides', async () => {
    const { organizationId, organizationName } = await aService(site.deps, {
      serviceName: 'Baking together',
    });
    const both = await browser({
      roles: ['referrer', 'provider'],
      organisation: { name: organizationName, libraryOrganizationId: organizationId },
    });
    const form = await anOpenForm(both);
    await both.send('/referrals/new', { ...form, ...aPerson() });
    const search = { family_name: newestName(), birth_day: '9', birth_month: '3', birth_year: '1947' };
    const found = await both.send('/referrals/search', search);
    expect(found.page.querySelector('details.onward-fold form')!.getAttribute('action')).toBe(
      '/referrals/search',
    );
    expect(found.text).toContain(`You searched for ${search.family_name}`);
    expect(found.text).toContain('Sent just now. We are delivering it to the service');
    expect((await provider.send('/referrals/search', search)).text).toContain('Waiting for you to answer');
  });

  it('open a referral for an operator, and tell its referrer why', async () => {
    const url = await aReferralPage();
    const operator = await browser({ role: 'operator' });
    expect((await operator.open(url)).text).not.toContain('She is lonely.');
    expect((await operator.send(`${url}/open`, { reason: '' })).text).toContain('Say why');
    await operator.send(`${url}/open`, { reason: 'Cannot read it, ticket 311.' });
    expect((await operator.open(url)).text).toContain('She is lonely.');
    expect((await referrer.open(url)).text).toContain('Cannot read it, ticket 311.');
    expect((await provider.open(url)).text).not.toContain('Cannot read it, ticket 311.');
  });

  it('offer other services, and none that was tried before', async () => {
    const { serviceId: _, ...placeOfOwn } = place;
    const first = await aReferralPage();
    const second = await aService(site.deps, { ...placeOfOwn, serviceName: 'Monday quilting' });
    const third = await aService(site.deps, { ...placeOfOwn, serviceName: 'Friday quilting' });
    const reject = (url: string) =>
      provider.send(`${url}/reject`, { version: '2', reason_code: 'transport', reason_text: 'Too far.' });
    const offered = async (url: string, words: string) => {
      const { page } = await referrer.open(`${url}/reroute?search=${words}`);
      const links = page.querySelectorAll('a[href*="reroutes="]');
      return links.map((each) => each.text.replace('Make a referral to ', ''));
    };
    await reject(first);
    expect(await offered(first, 'walking')).not.toContain(place.serviceName);
    expect(new Set(await offered(first, 'quilting'))).toEqual(
      new Set([second.serviceName, third.serviceName]),
    );
    const [, id] = /referrals\/(.+)$/.exec(first)!;
    const { page } = await referrer.open(`/referrals/new?service=${second.serviceId}&reroutes=${id}`);
    const hidden = page.querySelectorAll('main form input[type=hidden]');
    const form = hidden.map((each) => [each.getAttribute('name'), each.getAttribute('value')]);
    const sent = await referrer.send('/referrals/new', { ...Object.fromEntries(form), ...aPerson() });
    const next = withoutQuery(sent.location);
    await reject(next);
    expect(await offered(next, 'quilting')).toEqual([third.serviceName]);
    expect(await offered(next, 'walking')).not.toContain(place.serviceName);
  });

  const choicesOn = (page: Awaited<ReturnType<Browser['open']>>['page']) =>
    page
      .querySelectorAll('.onward-needs a')
      .map((each) => `${each.text}${each.hasAttribute('aria-current') ? ', here' : ''}`);

  it('offer debt and housing first to somebody behind with rent', async () => {
    const { serviceId: _, ...placeOfOwn } = place;
    const advice = await aService(site.deps, { ...placeOfOwn, serviceName: 'Debt and benefits advice' });
    await aService(site.deps, { ...placeOfOwn, serviceName: 'Coping with stress' });
    const reasons = 'Has fallen behind with the rent and is worried about the letters.';
    const url = await aReferralPage({ reasons });
    await provider.send(`${url}/reject`, { version: '2', reason_code: 'other', reason_text: 'Full.' });
    const { page } = await referrer.open(`${url}/reroute`);
    expect(page.querySelector('a[href*="reroutes="]')!.text).toContain(advice.serviceName);
    expect(choicesOn(page)).toEqual(['Benefits or debt, here', 'May lose their home', 'Stress']);
    const way = page.querySelectorAll('.onward-needs a')[2]!.getAttribute('href')!.replaceAll('&amp;', '&');
    expect(choicesOn((await referrer.open(way)).page)).toEqual([
      'Benefits or debt',
      'May lose their home',
      'Stress, here',
    ]);
  });

  it('offer first what fits the need of the referral', async () => {
    const { serviceId: _, ...placeOfOwn } = place;
    const friend = await aService(site.deps, { ...placeOfOwn, serviceName: 'A befriending visit' });
    await aService(site.deps, { ...placeOfOwn, serviceName: 'After a great loss' });
    const url = await aReferralPage({ needs: 'social-connection' });
    await provider.send(`${url}/reject`, { version: '2', reason_code: 'other', reason_text: 'Full.' });
    const { page, text } = await referrer.open(`${url}/reroute`);
    const links = page.querySelectorAll('a[href*="reroutes="]').map(({ text }) => text);
    expect(links).toEqual([`Make a referral to ${friend.serviceName}`]);
    expect(text).toContain('The person was referred for');
    expect(page.querySelector('#search')?.getAttribute('value')).toBe('befriending');
    expect(choicesOn(page)).toEqual(['Company and connection, here']);
    const inWords = await aReferralPage({ reasons: 'He moved here in May. He has nobody to talk to.' });
    await provider.send(`${inWords}/reject`, { version: '2', reason_code: 'other', reason_text: 'Full.' });
    const ofReason = await referrer.open(`${inWords}/reroute`);
    expect(ofReason.text).toContain('The reason for the referral names');
    expect(choicesOn(ofReason.page)).toEqual(['Company and connection, here']);
    expect(ofReason.page.querySelector('#search')?.getAttribute('value')).toBe('befriending');
    const abused = await aReferralPage({ needs: 'intimate-partner-violence' });
    await provider.send(`${abused}/reject`, { version: '2', reason_code: 'other', reason_text: 'Full.' });
    const plain = await referrer.open(`${abused}/reroute`);
    expect(plain.page.querySelector('#search')?.getAttribute('value') ?? '').toBe('');
  });

  it('begin with needs of the service that declined, if none named', async () => {
    const decline = async (service: Awaited<ReturnType<typeof aService>>, given: Form = {}) => {
      const { serviceId, organizationId, organizationName } = service;
      const url = await aReferralPage({ service: serviceId, reasons: 'She asked for this.', ...given });
      const by = await browser({
        role: 'provider',
        organisation: { libraryOrganizationId: organizationId, name: organizationName },
      });
      await by.send(`${url}/reject`, { version: '2', reason_code: 'other', reason_text: 'Full.' });
      return url;
    };
    const tea = await aService(site.deps, { serviceName: 'Tea on Sundays', need: 'Neighbours' });
    const lunch = await aService(site.deps, { serviceName: 'Lunch club', need: 'Neighbours' });
    const url = await decline(tea);
    const { page, text } = await referrer.open(`${url}/reroute`);
    const offered = page.querySelectorAll('a[href*="reroutes="]').map((each) => each.text);
    expect(offered).toEqual([`Make a referral to ${lunch.serviceName}`]);
    expect(text).toContain('They are for the needs for which Tea on Sundays is listed');
    const filter = page.querySelectorAll('a').find((each) => each.text.includes('Neighbours'))!;
    const without = await referrer.open(filter.getAttribute('href')!.replaceAll('&amp;', '&'));
    expect(without.page.querySelectorAll('a[href*="reroutes="]').length).toBeGreaterThan(1);
    expect(without.text).not.toContain('She asked for this.');
    await markSensitive(site.deps.db, tea.serviceId);
    const hidden = await referrer.open(`${url}/reroute`);
    expect(hidden.page.querySelector('[name=taxonomy_term_id][checked]')).toBeNull();
    await makeOrdinary(site.deps.db, tea.serviceId);
    const shameful = await aService(site.deps, { serviceName: 'Open door', need: 'Drugs and alcohol' });
    await aService(site.deps, { serviceName: 'Fresh start', need: 'Drugs and alcohol' });
    const plain = await referrer.open(`${await decline(shameful)}/reroute`);
    expect(plain.page.querySelector('[name=taxonomy_term_id][checked]')).toBeNull();
    const abused = await decline(lunch, { needs: 'intimate-partner-violence' });
    const quiet = await referrer.open(`${abused}/reroute`);
    expect(quiet.page.querySelector('[name=taxonomy_term_id][checked]')).toBeNull();
  });

  it('list a referral on paper under the day on which it was taken', async () => {
    const day = new Date(site.clock.now().getTime() - 5 * dayMs);
    const path = await aReferralPage({ made_at: `${day.toISOString().slice(0, 10)}T10:00` });
    const { page } = await referrer.open('/referrals?view=made');
    const row = page.querySelectorAll('tbody tr').find((each) => each.innerHTML.includes(path))!;
    expect(rowInWords(row)).toContain(`Made ${day.getUTCDate()} `);
  });

  /** Somebody whose team has referrals, and who has none of their own. */
  async function aColleagueWithoutReferrals() {
    await aReferralPage();
    const organisation = { name: 'Infirmary Lane Surgery' };
    return browser({ role: 'referrer', email: `lena.${newId()}@example.org`, organisation });
  }

  it('name the team’s referrals on a colleague’s home page', async () => {
    const lena = await aColleagueWithoutReferrals();
    const headings = async (path: string) =>
      (await lena.open(path)).page.querySelectorAll('h2').map((each) => each.text);
    expect(await headings('/')).toContain('Your team’s referrals');
    expect(await headings('/?mine=yes')).toContain('Referrals you made');
  });

  it('say when “Mine” is empty, and lead to the team’s referrals', async () => {
    const lena = await aColleagueWithoutReferrals();
    expect((await lena.open('/referrals?view=made&mine=yes')).text).toMatch(
      /Nothing is assigned to you\.\s*Show your team’s referrals/,
    );
  });

  it('offer each side its own reasons', async () => {
    const url = await aReferralPage();
    const codes = async (who: Browser, action: string) =>
      (await who.open(`${url}/${action}`)).page
        .querySelectorAll('[name=reason_code]')
        .map((each) => each.getAttribute('value'));
    const referrers = ['client-declined', 'needs-met-otherwise', 'moved-away', 'other'];
    expect(await codes(referrer, 'cancel')).toEqual(referrers);
    expect(await codes(referrer, 'withdraw-as-error')).toEqual([
      'wrong-person',
      'wrong-service',
      'sent-twice',
      'other',
    ]);
    const withdrawal = (await referrer.open(`${url}/withdraw-as-error`)).page;
    expect(withdrawal.text).toContain('You cannot open it again');
    expect(withdrawal.text).toContain('You can leave this blank');
    const rejections = await codes(provider, 'reject');
    expect(rejections).toEqual(expect.arrayContaining(['unsuitable-time', 'transport']));
    expect(rejections).not.toContain('died');
    await provider.send(`${url}/accept`, { version: '2' });
    expect(await codes(provider, 'cancel'), 'because of the person').toEqual(referrers);
    expect(await codes(provider, 'fail')).toContain('no-capacity');
  });

  it('lead to the form of a death, which no other reason tells', async () => {
    const url = await aReferralPage();
    for (const [who, action] of [
      [referrer, 'cancel'],
      [provider, 'reject'],
    ] as const) {
      const { page } = await who.open(`${url}/${action}`);
      expect(page.querySelector(`main a[href="${url}/died"]`)!.text).toBe('The person has died');
      expect(page.querySelector('[name=reason_code][value=died]')).toBeNull();
      const sent = await who.send(`${url}/${action}`, { version: '2', reason_code: 'died' });
      expect([sent.status, sent.location]).toEqual([303, `${url}/died`]);
    }
  });
});

describe('a row of a worklist', () => {
  it('says whether somebody has opened it while unanswered', async () => {
    const path = await aReferralPage();
    const tagsFor = async (who: Browser) => {
      const { page } = await who.open('/referrals');
      const row = page.querySelector(`tbody a[href^="${path}?"]`)!.closest('tr')!;
      expect(row.text.match(/Waiting for/g)).toHaveLength(1);
      return row.querySelectorAll('.nhsuk-tag').map(({ text }) => text);
    };
    site.clock.moveOn(5 * 60_000);
    expect(await tagsFor(provider)).toEqual(['Not opened yet']);
    const ownPage = (await referrer.open(path)).page;
    expect(ownPage.querySelector('main .nhsuk-tag')!.text).toBe('Not delivered yet');
    await provider.open(path);
    for (const who of [provider, referrer]) {
      expect(await tagsFor(who)).toEqual(['Opened, not answered']);
      // Two names for one thing were asked about: its page has the same tag.
      const { page } = await who.open(path);
      expect(page.querySelector('main .nhsuk-tag')!.text).toBe('Opened, not answered');
    }
  });

  it('does not say of one with an answer that nobody has opened it', async () => {
    const path = await aReferralPage();
    const id = path.split('/').at(-1)!;
    await provider.send(`${path}/accept`, { version: '2' });
    await changeReferral(site.deps.db, id, { seen_at: null });
    const { page } = await referrer.open('/referrals');
    const row = page.querySelector(`tbody a[href^="${path}?"]`)!.closest('tr')!;
    expect(row.querySelectorAll('.nhsuk-tag').map(({ text }) => text)).toEqual(['Accepted']);
  });
});

describe('the headings of a worklist', () => {
  it('give a list’s file that names no sensitive service', async () => {
    const url = await aReferralPage({ contact_safe: 'only_at', contact_only_at: 'the library' });
    const reference = (await provider.open(url)).text.match(/Referral (\w{5}-\w{5})/)![1]!;
    const rowOf = async (who: Browser) =>
      (await who.open('/referrals.csv')).page
        .toString()
        .split('\r\n')
        .find((row) => row.startsWith(reference));
    expect(await rowOf(provider)).toContain(place.serviceName);
    await markSensitive(site.deps.db, place.serviceId);
    for (const who of [referrer, provider]) {
      const row = await rowOf(who);
      expect(row).toMatch(/,Do not contact this person before .*,.*,A restricted service,/);
      expect(row).not.toContain('the library');
      expect(row).not.toMatch(new RegExp(`${place.serviceName}|${place.organizationName}`));
    }
    await makeOrdinary(site.deps.db, place.serviceId);
    const operator = await browser({ role: 'operator' });
    const ofAll = (await operator.open('/referrals.csv?view=all')).page.toString().split('\r\n')[0];
    expect(ofAll).toBe('reference,risk,service,status,urgency,due,overdue,made,next_step');
    expect(await storedEntries(site.deps.db, { action: 'referral.list_downloaded' })).toHaveLength(4);
  });

  it('sort by link, say how it is sorted, and keep the filters', async () => {
    const opened = await provider.open('/referrals?view=received&urgent=yes&sort=due');
    const plain = await provider.open('/referrals?view=received&sort=nonsense');
    const headings = ({ page }: typeof opened) =>
      page.querySelectorAll('th[aria-sort]').map((each) => each.getAttribute('aria-sort'));
    expect(headings(plain)).toEqual(['none', 'none']);
    const links = plain.page.querySelectorAll('.onward-sort').map((each) => each.getAttribute('href'));
    expect(links).toEqual(['/referrals?view=received&sort=due', '/referrals?view=received&sort=-made']);
    const sorted = await provider.open('/referrals?view=received&sort=-made');
    expect(headings(sorted)).toEqual(['none', 'descending']);
    expect(opened.page.querySelector('#sort option[selected]')?.getAttribute('value')).toBe('due');
    expect(opened.page.querySelector('#urgent')?.getAttribute('checked')).toBeDefined();
  });
});

describe('the search of a worklist', () => {
  it('finds by words that stand in no address', async () => {
    // A number in the name would now and then also be found in another referral's reference.
    const name = 'Quillfeather Ash';
    const url = await aReferralPage({ family_name: name });
    const { page } = await provider.open('/referrals?urgent=yes');
    const form = page.querySelector('form[role=search]')!;
    expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual([
      'post',
      '/referrals/find?view=received&urgent=yes',
    ]);
    expect((await provider.send('/referrals/find?urgent=yes', { words: name })).text).toContain(
      'No referral in this list',
    );
    const found = await provider.send('/referrals/find', { words: `${name} <>` });
    const links = found.page.querySelectorAll('tbody a').map((each) => each.getAttribute('href'));
    expect(links).toEqual([url]);
    expect(found.text).toContain(`1 to 1 of 1 found by “${name} <>”`);
    const addresses = found.page
      .querySelectorAll('[href], [action]')
      .map(({ attributes }) => attributes.href);
    expect(addresses.join()).not.toContain(name.replace(' ', '+'));
    expect(found.page.querySelector('title')?.text).not.toContain(name);
    expect((await provider.open('/referrals/find?urgent=yes')).location).toBe(
      '/referrals?view=received&urgent=yes',
    );
  });
});

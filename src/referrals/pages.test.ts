import { parse } from 'node-html-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anAccount, aPractice, aService, type LibraryPlace } from '../../test/builders.ts';
import { makeApp, type TestApp } from '../../test/make-app.ts';

let site: TestApp;
let place: LibraryPlace;
let referrer: Browser;
let provider: Browser;
beforeAll(async () => {
  site = await makeApp();
  place = await aService(site.deps);
  await aPractice(site.deps);
  referrer = await browser({ role: 'referrer', organisation: { name: 'Infirmary Lane Surgery' } });
  provider = await browser({
    role: 'provider',
    organisation: { libraryOrganizationId: place.organizationId, name: place.organizationName },
  });
});
afterAll(() => site.close());

type Form = Record<string, string>;
type Browser = Awaited<ReturnType<typeof browser>>;

/** Somebody signed in, who opens pages and sends forms as a browser does. */
async function browser(given: Parameters<typeof anAccount>[1]) {
  const { email, password } = await anAccount(site.deps, given);
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
  };
  const send = async (url: string, form?: Form) => {
    const method = form ? 'POST' : 'GET';
    const payload = form && new URLSearchParams(form).toString();
    const answer = await site.app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
    const page = parse(answer.body);
    const text = page.querySelector('main')?.structuredText ?? '';
    return {
      status: answer.statusCode,
      location: String(answer.headers.location),
      headers: answer.headers,
      page,
      text,
    };
  };
  const { headers: answered } = await send('/signin', { email, password });
  headers.cookie = String(answered['set-cookie']).split(';')[0]!;
  return { open: (url: string) => send(url), send, cookie: headers.cookie };
}

let people = 0;
function aPerson(): Form {
  people += 1;
  return {
    given_name: 'Margaret',
    family_name: `Example ${people}`,
    birth_day: '9',
    birth_month: '3',
    birth_year: '1947',
    address_line_1: '4 Mill Lane',
    postcode: 'ZT1 3GH',
    gp_ods_code: 'Z99001',
    reasons: 'She is lonely.',
    urgency: 'routine',
    consent_referral: 'yes',
    share_with_gp: 'yes',
  };
}

/** The form as it stands on a page that was opened, with its hidden fields. */
async function anOpenForm(): Promise<Form> {
  const { page } = await referrer.open(`/referrals/new?service=${place.serviceId}`);
  const hidden = page.querySelectorAll('main form input[type=hidden]');
  return Object.fromEntries(
    hidden.map((each) => [each.getAttribute('name'), each.getAttribute('value')]),
  ) as Form;
}

const withoutQuery = (location: string) => location.split('?')[0]!;

async function aReferralPage(): Promise<string> {
  const { location } = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...aPerson() });
  return withoutQuery(location);
}

test('a form that is sent twice makes one referral', async () => {
  const form = { ...(await anOpenForm()), ...aPerson() };
  const [one, two] = await Promise.all([
    referrer.send('/referrals/new', form),
    referrer.send('/referrals/new', form),
  ]);
  expect([one.status, two.status]).toEqual([303, 303]);
  expect(one.location).toMatch(/^\/referrals\/[0-9a-f-]{36}\?done=sent$/);
  expect((await referrer.open(one.location)).text).toContain('The referral was sent.');
  expect((await referrer.open(withoutQuery(one.location))).text).not.toContain('The referral was sent.');
  expect(two.location).toBe(one.location);
  const again = await referrer.send('/referrals/new', { ...form, reasons: 'Something else.' });
  expect(again.status).toBe(422);
  expect(again.text).toContain('You have sent this form before');
  expect(again.page.querySelector('[name=idempotency_key]')?.getAttribute('value')).not.toBe(
    form.idempotency_key,
  );
});

test('a form with mistakes comes back with all that was typed, each mistake beside its field', async () => {
  const typed = {
    ...aPerson(),
    family_name: '',
    nhs_number: '9990000019',
    what_matters: '<b>"Singing" & tea</b>',
  };
  const { status, page } = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed });
  expect(status).toBe(422);
  expect(page.querySelector('title')?.text).toMatch(/^Error: /);
  const summary = page.querySelectorAll('.nhsuk-error-summary a');
  expect(summary.map((link) => link.getAttribute('href'))).toEqual(['#family_name', '#nhs_number']);
  for (const link of summary) expect(page.querySelector(link.getAttribute('href')!)).not.toBeNull();
  expect(page.querySelector('#nhs_number')?.getAttribute('value')).toBe('9990000019');
  expect(page.querySelector('#what_matters')?.text).toBe(typed.what_matters);
  expect(page.querySelector('#consent_referral')?.hasAttribute('checked')).toBe(true);
});

test('what only the checks see comes back in the form too', async () => {
  const typed = { ...aPerson(), gp_ods_code: 'X00000' };
  const { status, page } = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed });
  expect(status).toBe(422);
  expect(page.querySelector('.nhsuk-error-summary a')?.getAttribute('href')).toBe('#gp_ods_code');
});

test('a second referral of the same person is asked about, and made when it is meant', async () => {
  const person = aPerson();
  await referrer.send('/referrals/new', { ...(await anOpenForm()), ...person });
  const form = { ...(await anOpenForm()), ...person };
  const { status, text, page } = await referrer.send('/referrals/new', form);
  expect(status).toBe(409);
  expect(text).toMatch(/[0-9A-Z]{5}-[0-9A-Z]{5}/);
  expect(page.querySelector('#allow_duplicate')).not.toBeNull();
  const meant = await referrer.send('/referrals/new', { ...form, allow_duplicate: 'yes' });
  expect(meant.status).toBe(303);
});

test('a service that is unknown is not found; one that takes no referrals says so', async () => {
  expect((await referrer.open('/referrals/new?service=nowhere')).status).toBe(404);
  expect((await referrer.open('/referrals/new')).location).toBe('/services');
  const closed = await aService(site.deps, { status: 'inactive' });
  const { text } = await referrer.open(`/referrals/new?service=${closed.serviceId}`);
  expect(text).toContain('is not active at present');
});

test('the service accepts and completes; both sides see it, and the history says who did it', async () => {
  const url = await aReferralPage();
  expect((await provider.open('/referrals')).text).toContain('Waiting for you to answer');
  expect((await provider.send(`${url}/accept`, { version: '1' })).location).toBe(url);
  const outcome = { outcome_code: 'goals-met', outcome_text: 'She joined the choir.' };
  const refused = await provider.send(`${url}/complete`, { version: '2', outcome_code: 'goals-met' });
  expect(refused.status).toBe(422);
  expect(refused.page.querySelector('#outcome_code option[selected]')?.getAttribute('value')).toBe(
    'goals-met',
  );
  expect(refused.page.querySelector('.nhsuk-error-summary a')?.getAttribute('href')).toBe('#outcome_text');
  expect((await provider.send(`${url}/complete`, { version: '2', ...outcome })).status).toBe(303);
  const { text } = await referrer.open(url);
  expect(text).toContain('She joined the choir.');
  expect(text).toMatch(/Accepted\s+on .* by Test Person/);
});

test('an answer to a referral that has changed meanwhile changes nothing and keeps the words', async () => {
  const url = await aReferralPage();
  const rejection = { version: '1', reason_code: 'no-capacity', reason_text: 'Full until January.' };
  await provider.send(`${url}/accept`, { version: '1' });
  for (const version of ['1', '2', '', 'x']) {
    const { status, text } = await provider.send(`${url}/reject`, { ...rejection, version });
    expect(status).toBe(version === '2' ? 409 : 412);
    expect(text).toContain('has changed since you opened it');
    expect(text).toContain('Full until January.');
    expect(text).toContain('Complete the referral');
  }
});

test('a referral is not found by others, and an operator sees its state without the person', async () => {
  const url = await aReferralPage();
  await provider.send(`${url}/reject`, {
    version: '1',
    reason_code: 'other',
    reason_text: 'A private word.',
  });
  const stranger = await browser({
    role: 'provider',
    organisation: { libraryOrganizationId: (await aService(site.deps)).organizationId, name: 'Elsewhere' },
  });
  expect((await stranger.open(url)).status).toBe(404);
  expect((await stranger.send(`${url}/accept`, { version: '1' })).status).toBe(404);
  expect((await stranger.open('/referrals')).text).toContain('Nobody has referred a person');
  const operator = await browser({ role: 'operator' });
  for (const address of [url, '/referrals']) {
    const { text } = await operator.open(address);
    expect(text).toContain('Rejected');
    expect(text).not.toMatch(/Margaret|Example|lonely|private word/);
  }
});

test('the list is 25 a page, with older ones behind a link, and can be narrowed by status', async () => {
  for (let made = 0; made < 26; made++) await aReferralPage();
  const { page } = await referrer.open('/referrals');
  expect(page.querySelectorAll('tbody tr')).toHaveLength(25);
  const older = await referrer.open(
    page.querySelector('a[rel=next]')?.getAttribute('href')?.replaceAll('&amp;', '&') ?? '',
  );
  expect(older.page.querySelectorAll('tbody tr').length).toBeGreaterThan(0);
  const newcomer = await browser({ role: 'referrer' });
  const none = await newcomer.open('/referrals?status=accepted');
  expect(none.text).toContain('There are no referrals like that');
});

/** The practices that a page offers, with the one that is chosen marked. */
function offered(page: Awaited<ReturnType<Browser['open']>>['page']): string[] {
  return page
    .querySelectorAll('input[name=gp_choice]')
    .map((each) => `${each.getAttribute('value')}${each.hasAttribute('checked') ? ' chosen' : ''}`);
}

test('a practice is found by its name, chosen, and then told; nothing that was typed is lost', async () => {
  await aPractice(site.deps, 'Z99011', 'Spindle Hill Surgery');
  await aPractice(site.deps, 'Z99012', 'Spindle Lane Practice');
  const typed = { ...aPerson(), gp_ods_code: ' spindel ', family_name: '' };
  const asked = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed });
  expect(asked.status).toBe(422);
  const summary = asked.page.querySelectorAll('.nhsuk-error-summary a');
  expect(summary.map((link) => link.getAttribute('href'))).toEqual(['#family_name', '#gp_choice']);
  for (const link of summary) expect(asked.page.querySelector(link.getAttribute('href')!)).not.toBeNull();
  expect(offered(asked.page)).toEqual(['Z99011', 'Z99012']);
  expect(asked.text).toContain('1 High Street, Sarrowby, ZT1 1AA (Z99011)');
  expect(asked.page.querySelector('#gp_ods_code')?.getAttribute('value')).toBe(' spindel ');
  expect(asked.page.querySelector('#reasons')?.text).toBe('She is lonely.');

  const choice = { ...typed, gp_choice: 'Z99012', gp_offered_for: 'spindel' };
  const again = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...choice });
  expect(again.page.querySelectorAll('.nhsuk-error-summary a')).toHaveLength(1);
  expect(offered(again.page)).toEqual(['Z99011', 'Z99012 chosen']);
  const made = await referrer.send('/referrals/new', {
    ...(await anOpenForm()),
    ...choice,
    family_name: 'Found',
  });
  expect(made.status).toBe(303);
  expect((await referrer.open(made.location)).text).toContain('Spindle Lane Practice');
});

test('a name is never taken for a practice by itself, and a choice is for the name that it was offered for', async () => {
  await aPractice(site.deps, 'Z99021', 'Ravensett Practice');
  const typed = { ...aPerson(), gp_ods_code: 'ravensett practice' };
  const alone = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed });
  expect(alone.status).toBe(422);
  expect(offered(alone.page)).toEqual(['Z99021']);
  for (const wrong of [
    { gp_choice: 'Z99001', gp_offered_for: 'infirmary lane' },
    { gp_choice: 'Z99021', gp_offered_for: '' },
    { gp_choice: 'X0-', gp_offered_for: 'ravensett practice' },
  ]) {
    const { status, page } = await referrer.send('/referrals/new', {
      ...(await anOpenForm()),
      ...typed,
      ...wrong,
    });
    expect(status).toBe(422);
    expect(offered(page)).toEqual(['Z99021']);
  }
});

test('the button that finds the practice sends nothing, and says nothing of what is still to be filled in', async () => {
  const before = (await referrer.open('/referrals')).text;
  const find = async (form: Form) =>
    referrer.send('/referrals/new', { ...(await anOpenForm()), ...form, find_practice: 'yes' });
  const empty = await find({ given_name: 'Early', gp_ods_code: 'infirmary' });
  expect(empty.status).toBe(200);
  expect(empty.page.querySelector('.nhsuk-error-summary')).toBeNull();
  expect(offered(empty.page)).toEqual(['Z99001']);
  expect(empty.page.querySelector('#given_name')?.getAttribute('value')).toBe('Early');
  const complete = await find(aPerson());
  expect(complete.status).toBe(200);
  expect(offered(complete.page)).toEqual(['Z99001 chosen']);
  for (const [text, says] of [
    ['', 'Enter the name or code of the GP practice'],
    ['xyzzyq', 'No GP practice like that'],
    ['?', 'No GP practice like that'],
    ['& | ! :*', 'No GP practice like that'],
    ['infirmary '.repeat(500), 'No GP practice like that'],
  ] as const) {
    const none = await find({ ...aPerson(), gp_ods_code: text });
    expect(none.status).toBe(422);
    expect(none.text).toContain(says);
    expect(none.page.querySelector('.nhsuk-error-summary a')?.getAttribute('href')).toBe('#gp_ods_code');
  }
  expect((await referrer.open('/referrals')).text).toBe(before);
});

test('a draft is kept, gone on with, and sent; what is missing is said and nothing typed is lost', async () => {
  const { given_name, family_name } = aPerson() as { given_name: string; family_name: string };
  const begun = { given_name, family_name, what_matters: 'To sing.' };
  const saved = await referrer.send('/referrals/new', {
    ...(await anOpenForm()),
    ...begun,
    save_draft: 'yes',
  });
  expect(saved.status).toBe(303);
  const draft = await referrer.open(saved.location);
  expect(draft.text).toContain('The draft was saved.');
  expect(draft.text).toContain('Only your organisation sees this draft');
  expect((await provider.open(saved.location)).status).toBe(404);
  const url = withoutQuery(saved.location);
  const edit = `${url}/edit`;
  const form = await referrer.open(edit);
  expect(form.page.querySelector('#what_matters')?.text.trim()).toBe('To sing.');
  const early = await referrer.send(edit, { ...begun, version: '1', ethnicity: 'White Polish' });
  expect([early.status, early.page.querySelector('#ethnicity')?.getAttribute('value')]).toEqual([
    422,
    'White Polish',
  ]);
  const version = early.page.querySelector('[name=version]')?.getAttribute('value') ?? '';
  expect(version).toBe('2');
  const stale = await referrer.send(edit, { ...aPerson(), version: '1' });
  expect([stale.status, stale.text.includes('Somebody changed this draft')]).toEqual([412, true]);
  expect((await referrer.send(edit, { ...aPerson(), version })).location).toBe(`${url}?done=sent`);
  expect((await provider.open(saved.location)).text).toContain('Waiting for you to answer');
  expect((await referrer.open(edit)).location).toBe(url);
});

test('a form without a file is told to choose one, and one with another file what it may be', async () => {
  const url = await aReferralPage();
  const attach = async (name: string, content: string) => {
    const head = `content-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream`;
    const answer = await site.app.inject({
      method: 'POST',
      url: `${url}/attachments`,
      headers: {
        cookie: referrer.cookie,
        'sec-fetch-site': 'same-origin',
        'content-type': 'multipart/form-data; boundary=edge',
      },
      payload: `--edge\r\n${head}\r\n\r\n${content}\r\n--edge--\r\n`,
    });
    return parse(answer.body).querySelector('.nhsuk-error-summary a')?.text.trim();
  };
  expect(await attach('', '')).toBe('Choose a file');
  expect(await attach('notes.txt', 'She is shy.')).toBe('The file must be a PDF, PNG or JPEG');
});

test('the two sides write, see what is new, and put a person on the waiting list', async () => {
  // Made a moment later than the others, and so the first of the list.
  site.clock.moveOn(1);
  const url = await aReferralPage();
  expect((await provider.send(`${url}/messages`, { text: ' ' })).text).toContain('Write your message');
  expect((await provider.send(`${url}/messages`, { text: 'Is a morning good?' })).location).toBe(
    `${url}#messages`,
  );
  expect((await referrer.open('/referrals')).text).toContain('1 new message');
  expect((await referrer.open(url)).text).toContain('Messages 1 new');
  expect((await referrer.open('/referrals')).text).not.toContain('1 new message');
  await provider.send(`${url}/accept`, { version: '1' });
  const typed = {
    version: '2',
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
  const change = await provider.open(`${url}/change-wait`);
  const codes = change.page.querySelectorAll('[name=reason_code]').map((each) => each.getAttribute('value'));
  expect(codes).toEqual(['no-capacity', 'failed-contact', 'missing-information', 'other']);
  expect(change.page.querySelector('[name=reason_code][checked]')?.getAttribute('value')).toBe('no-capacity');
  expect(change.page.querySelector('#reason_text')?.text.trim()).toBe('Full.');
  expect(Number(change.page.querySelector('#expected_day')?.getAttribute('value'))).toBe(5);
  const past = { ...typed, version: '3', expected_day: '1', expected_month: '4', expected_year: '2020' };
  const over = await provider.send(`${url}/change-wait`, past);
  expect([over.status, over.text.includes('The date must not be in the past')]).toEqual([422, true]);
  await provider.send(`${url}/change-wait`, { ...past, reason_text: 'Still full.', expected_year: '2028' });
  const held = (await referrer.open(url)).text;
  expect(held).toMatch(/A place is expected on 1 April 2028.*Waiting list changed.*Still full\./s);
  const wrong = { version: '4', outcome_code: 'other', outcome_text: 'Well.', 'pam-level_end': '9' };
  const measured = await provider.send(`${url}/complete`, wrong);
  expect(measured.page.querySelector('.nhsuk-error-summary a')?.getAttribute('href')).toBe('#pam-level_end');
});

test('a referrer sees what waits for them: what came to nothing until it is sent elsewhere, what was written until it is read', async () => {
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
  const card = async (who: Browser) =>
    (await who.open('/')).page.querySelector('a[href*="waiting=yes"]')!.text.trim();
  const list = async () => {
    const { page } = await worker.open('/referrals?view=made&waiting=yes');
    return page.querySelectorAll('td a').map((link) => link.getAttribute('href'));
  };
  const [rejected, written, quiet] = [await make(), await make(), await make()];
  expect([await card(worker), await list()]).toEqual(['No referral waits for you', []]);
  await provider.send(`${rejected}/reject`, { version: '1', reason_code: 'other', reason_text: 'Full.' });
  await provider.send(`${written}/messages`, { text: 'Is a morning good?' });
  await worker.send(`${quiet}/messages`, { text: 'She is shy.' });
  const draft = await make({ save_draft: 'yes' });
  expect(await card(worker)).toBe('3 referrals wait for you: 1 rejected, 1 with new messages, 1 draft');
  expect(new Set(await list())).toEqual(new Set([rejected, written, draft]));
  expect(await card(colleague)).toBe('No referral waits for you');
  await worker.open(written);
  await make({ reroutes: rejected.split('/').at(-1)! });
  expect(await card(worker)).toBe('1 referral waits for you: 1 draft');
  expect(await list()).toEqual([draft]);
  await provider.send(`${quiet}/reject`, { version: '1', reason_code: 'other', reason_text: 'Full.' });
  expect(new Set(await list())).toEqual(new Set([draft, quiet]));
  const { location } = await worker.send(`${quiet}/seen-to`, {});
  expect((await worker.open(location!)).text).toMatch(/no longer waits for you.*helped another way/s);
  expect(await list()).toEqual([draft]);
});

test('a person is found, and what came to nothing is sent to another service with all that is known', async () => {
  const url = await aReferralPage();
  const name = `Example ${people}`;
  const search = { family_name: name, birth_day: '9', birth_month: '3', birth_year: '1947' };
  expect((await provider.send('/referrals/search', search)).text).toContain(`Margaret ${name}`);
  const half = await provider.send('/referrals/search', { ...search, family_name: '' });
  expect([half.status, half.text.includes('Enter the person’s last name')]).toEqual([422, true]);
  expect((await referrer.open(`${url}/reroute`)).location).toBe(url);
  await provider.send(`${url}/reject`, { version: '1', reason_code: 'other', reason_text: 'Try the choir.' });
  const other = await aService(site.deps, { serviceName: 'Thursday choir' });
  const found = await referrer.open(`${url}/reroute?search=choir`);
  const way = found.page
    .querySelector('a[href*="reroutes="]')
    ?.getAttribute('href')
    ?.replaceAll('&amp;', '&');
  expect(way).toContain(`service=${other.serviceId}`);
  const { page } = await referrer.open(way!);
  expect(page.querySelector('#family_name')?.getAttribute('value')).toBe(name);
  expect(page.querySelector('#consent_referral')?.hasAttribute('checked')).toBe(false);
  const hidden = page.querySelectorAll('main form input[type=hidden]');
  const form = Object.fromEntries(
    hidden.map((each) => [each.getAttribute('name'), each.getAttribute('value')]),
  );
  const made = await referrer.send(way!.replace(/&.*/, ''), { ...form, ...aPerson() } as Form);
  expect(made.status).toBe(303);
  expect(
    (await referrer.open(url)).page.querySelector(`a[href="${withoutQuery(made.location)}"]`),
  ).not.toBeNull();
});

test('an operator opens a referral by its page, and those who made it read why', async () => {
  const url = await aReferralPage();
  const operator = await browser({ role: 'operator' });
  expect((await operator.open(url)).text).not.toContain('She is lonely.');
  expect((await operator.send(`${url}/open`, { reason: '' })).text).toContain('Say why');
  await operator.send(`${url}/open`, { reason: 'Ticket 311.' });
  expect((await operator.open(url)).text).toContain('She is lonely.');
  expect((await referrer.open(url)).text).toContain('Ticket 311.');
  expect((await provider.open(url)).text).not.toContain('Ticket 311.');
});

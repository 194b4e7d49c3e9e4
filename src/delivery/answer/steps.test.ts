import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aReferral, aTestNhsNumber, renewToken } from '../../../test/app/builders.ts';
import { textOfTable } from '../../../test/database/stored.ts';
import { answerFixture, linkHolder } from '../../../test/delivery/answer-fixture.ts';
import { deleteAddresses, setServiceAddress } from '../../../test/delivery/receivers.ts';
import { storedDeliveries } from '../../../test/delivery/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { auditActors, storedReferral } from '../../../test/referrals/stored.ts';
import { hourMs, minuteMs } from '../../platform/durations.ts';
import { updatePrompts } from '../../referrals/index.ts';
import { releaseHeld } from '../held/release-held.ts';

const { site, place, referrer, charity, refer, email, linkOf } = await answerFixture();
afterAll(() => site.close());
beforeEach(() => renewToken(site.deps, referrer));

const codes = 'office@footpath-friends.example.org';
const setCodes = (address: string) =>
  setServiceAddress(site.deps.db, { serviceId: place.serviceId, channel: 'code_email', address });
await setCodes(codes);

const rosa = { name: 'Rosa Reed', role: 'Duty manager' };
const surgery = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
const practice = { gp_practice: { ods_code: 'Z99001' } };
const statusOf = async (id: string) => (await storedReferral(site.deps.db, id)).status;
const codesSent = async (to = codes) =>
  (await mailsTo(site, to)).filter(({ subject }) => subject.startsWith('Your code'));
const newestCode = async () => /^\d{6}/.exec((await codesSent())[0]!.text)![0];
const sendCode = (browser: Browser, path: string) => browser.send(path, { step: 'send-code' });
const enter = (browser: Browser, path: string, code: string) =>
  browser.send(`${path}?do=code`, { ...rosa, code });
type Browser = ReturnType<typeof linkHolder>;

async function aSentReferral(given: Record<string, unknown> = {}) {
  const { id, reference } = await refer({ allow_duplicate: true, ...given });
  return { id, reference, path: (await linkOf(id))! };
}
async function openWithCode(path: string) {
  const browser = linkHolder(site);
  await sendCode(browser, path);
  expect((await enter(browser, path, await newestCode())).status).toBe(303);
  return { browser, path };
}
/** A referral that its service has opened by a code. */
async function opened(given: Record<string, unknown> = {}) {
  const referral = await aSentReferral(given);
  const { browser } = await openWithCode(referral.path);
  const take = (step: string, fields: Record<string, string> = {}) =>
    browser.send(`${referral.path}?do=${step}`, { ...rosa, ...fields });
  return { ...referral, browser, take };
}
async function accepted(given: Record<string, unknown> = {}) {
  const referral = await opened(given);
  await referral.browser.send(referral.path, { ...rosa, answer: 'accept' });
  return referral;
}
async function post(path: string, payload: object, version?: number) {
  const headers = { ...referrer.headers, ...(version && { 'if-match': `"${version}"` }) };
  const answer = await site.app.inject({ method: 'POST', url: `/api/referrals${path}`, payload, headers });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json();
}
async function attachPlan(id: string) {
  const payload =
    '--x\r\ncontent-disposition: form-data; name="file"; filename="plan.pdf"\r\n\r\n%PDF-1.7 a\r\n--x--\r\n';
  const headers = { ...referrer.headers, 'content-type': 'multipart/form-data; boundary=x' };
  const url = `/api/referrals/${id}/attachments`;
  expect((await site.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBeLessThan(300);
}
const read = async (id: string) =>
  (await site.app.inject({ url: `/api/referrals/${id}`, headers: referrer.headers })).json();
const check = async (id: string, what: 'undo-ending' | 'confirm-ending') =>
  site.app.inject({
    method: 'POST',
    url: `/api/referrals/${id}/${what}`,
    payload: {},
    headers: {
      ...referrer.headers,
      'if-match': `"${(await storedReferral(site.deps.db, id)).version}"`,
    },
  });
const wrongOf = (code: string) => (code === '000000' ? '000001' : '000000');

describe('a code for a link', () => {
  it('goes to the second mailbox, and opens the whole referral', async () => {
    const { id, path, reference } = await aSentReferral();
    const browser = linkHolder(site);
    expect((await browser.open(path)).text).not.toContain('Example');
    expect((await browser.open(`${path}?do=message`)).text).toContain('you need a code');
    const before = (await codesSent()).length;
    await sendCode(browser, path);
    const [mail] = await codesSent();
    expect((await codesSent()).length).toBe(before + 1);
    expect(mail!.text).toContain(reference);
    for (const told of ['Example', path, place.serviceName]) expect(mail!.text).not.toContain(told);
    expect(await codesSent(charity)).toEqual([]);
    const entered = await enter(browser, path, await newestCode());
    expect(entered.cookie).toMatch(/^onward-answer=.+HttpOnly.+SameSite=Lax/);
    const { text, page } = await browser.open(path);
    for (const shown of ['Example', 'Mill Lane', 'lonely', 'Before you contact the person', '(79 years)'])
      expect(text.toLowerCase()).toContain(shown.toLowerCase());
    expect(text).not.toMatch(/patient/i);
    expect(page.querySelector('a[href="tel:01632960123"]')?.text).toBe('01632 960123');
    expect(await auditActors(site.deps.db, id, 'answer-link.entered')).toMatchObject([
      { name: `Rosa Reed, Duty manager, by link sent to ${charity}` },
    ]);
    expect((await storedReferral(site.deps.db, id)).seen_by_name).toMatch(/^Rosa Reed/);
    expect(await auditActors(site.deps.db, id, 'answer-link.read')).toHaveLength(1);
  });

  it('is asked for with the name that this browser has just sent', async () => {
    const { path } = await aSentReferral();
    const desk = linkHolder(site);
    await desk.send(path, { name: 'Zoë Reed', role: 'Duty manager; weekends', answer: 'accept' });
    await sendCode(desk, path);
    const nameOn = async (browser: Browser) => {
      const { page } = await browser.open(`${path}?do=code`);
      return ['name', 'role'].map((field) =>
        page.querySelector(`input[name=${field}]`)!.getAttribute('value'),
      );
    };
    expect(await nameOn(desk)).toEqual(['Zoë Reed', 'Duty manager; weekends']);
    expect((await nameOn(linkHolder(site))).join('')).toBe('');
    expect((await enter(desk, path, await newestCode())).status).toBe(303);
    expect((await desk.open(path)).text).toContain('Mill Lane');
  });

  it('counts as read by nobody after a prefetch or a HEAD request', async () => {
    const { browser, path, id } = await opened();
    const read = async () => (await auditActors(site.deps.db, id, 'answer-link.read')).length;
    const before = await read();
    const { status, text } = await browser.open(path, { 'sec-purpose': 'prefetch;prerender' });
    expect([status, text]).toEqual([204, '']);
    const headers = { cookie: browser.cookie()! };
    expect((await site.app.inject({ method: 'HEAD', url: path, headers })).statusCode).toBe(204);
    expect(await read()).toBe(before);
    await browser.open(path);
    expect(await read()).toBe(before + 1);
  });

  it('links no number that may not be used', async () => {
    const { browser, path } = await opened({ contact: { safe: 'yes', channel: 'letter' } });
    const { page, text } = await browser.open(path);
    expect(text).toContain('01632 960123 (');
    expect(page.querySelectorAll('main a[href^=tel]')).toEqual([]);
  });

  it('shows warnings about contact, news and files', async () => {
    const person = { ...aReferral(place.serviceId).patient, nhs_number: aTestNhsNumber(7100) };
    const sendOne = (contact: object) =>
      post('', { ...aReferral(place.serviceId), patient: person, allow_duplicate: true, contact });
    const { reference } = await sendOne({ safe: 'no', who_must_not_know: 'her brother' });
    const { id } = await sendOne({ safe: 'yes' });
    await post(`/${id}/things-have-changed`, { text: 'Her brother came back.' }, 1);
    await attachPlan(id);
    const { browser, path } = await openWithCode((await linkOf(id))!);
    const { text } = await browser.open(path);
    const careful = text.indexOf(
      `Another open referral of this person (${reference}) says: Do not tell: her brother. It is not safe`,
    );
    expect(careful).toBeGreaterThan(0);
    expect(careful).toBeLessThan(text.indexOf('This referral says: It is safe'));
    expect(text).toContain('plan.pdf');
    expect(text.split('Her brother came back.'), 'said once').toHaveLength(2);
  });

  it('is sent for a button, and for no scanner that opens links', async () => {
    const { path } = await aSentReferral();
    const before = (await codesSent()).length;
    const scanner = linkHolder(site);
    for (const form of ['', '?do=code', '?do=complete', '?do=ring', '?do=claim', '?do=nonsense'])
      expect((await scanner.open(`${path}${form}`)).status).toBe(200);
    expect((await codesSent()).length).toBe(before);
    await sendCode(scanner, path);
    await sendCode(scanner, path);
    expect((await codesSent()).length, 'a second click').toBe(before + 1);
  });

  it('is stored only as a hash, and is in no log', async () => {
    const { path, browser } = await opened();
    const code = await newestCode();
    await sendCode(browser, path);
    for (const table of ['answer_links', 'answer_link_visits'] as const)
      expect(await textOfTable(site.deps.db, table)).not.toContain(browser.cookie()!.split('=')[1]!);
    expect(await textOfTable(site.deps.db, 'answer_links')).not.toContain(code);
    for (const secret of [code, codes, path.split('/').at(-1)!])
      expect(site.logLines.join('\n')).not.toContain(secret);
  });

  it('pauses after five wrong ones, also for the right one', async () => {
    const { path, id } = await aSentReferral();
    const guesser = linkHolder(site);
    await sendCode(guesser, path);
    const code = await newestCode();
    for (let count = 1; count < 5; count += 1)
      expect((await enter(guesser, path, wrongOf(code))).text).toContain('The code is not right');
    await enter(guesser, path, wrongOf(code));
    expect((await guesser.open(`${path}?do=code`)).text).toContain('too many attempts');
    await enter(guesser, path, code);
    const before = (await codesSent()).length;
    await sendCode(guesser, path);
    expect((await codesSent()).length, 'no new code either').toBe(before);
    expect((await guesser.open(path)).text).not.toContain('Example');
    expect(await auditActors(site.deps.db, id, 'answer-link.code_refused')).toHaveLength(5);
    site.clock.moveOn(15 * minuteMs);
    await sendCode(guesser, path);
    await enter(guesser, path, await newestCode());
    expect((await guesser.open(path)).text).toContain('Example');
  });

  it('cannot be guessed at by the many links of one service', async () => {
    const first = await opened();
    const referrals: { id: string; path: string }[] = [first];
    while (referrals.length < 8) referrals.push(await aSentReferral());
    const guessers = referrals.map(() => linkHolder(site));
    let checked = 0;
    for (const [index, { path, id }] of referrals.entries()) {
      await sendCode(guessers[index]!, path);
      for (let count = 0; count < 4; count += 1) await enter(guessers[index]!, path, '000000');
      checked += (await auditActors(site.deps.db, id, 'answer-link.code_refused')).length;
    }
    // Each code that was sent counts as an attempt, too.
    expect(checked).toBeLessThanOrEqual(24);
    const { path } = referrals.at(-1)!;
    const refused = await enter(guessers.at(-1)!, path, '000000');
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringMatching(/There were too many attempts\. Try again in/),
    ]);
    const before = (await codesSent()).length;
    const unsent = await sendCode(guessers.at(-1)!, path);
    expect([unsent.status, unsent.text]).toEqual([
      422,
      expect.stringContaining('There were too many attempts'),
    ]);
    expect((await codesSent()).length).toBe(before);
    expect((await first.browser.open(first.path)).text, 'who is in stays in').toContain('Example');
    site.clock.moveOn(25 * hourMs);
    await renewToken(site.deps, referrer);
    expect((await opened()).path, 'the next day').toBeDefined();
  });

  it('works once, and for 10 minutes', async () => {
    const { path } = await aSentReferral();
    const [first, second] = [linkHolder(site), linkHolder(site)];
    await sendCode(first, path);
    const code = await newestCode();
    await enter(first, path, code);
    expect((await enter(second, path, code)).text).toContain('no code that works now');
    site.clock.moveOn(minuteMs);
    await sendCode(second, path);
    site.clock.moveOn(10 * minuteMs);
    expect((await enter(second, path, await newestCode())).text).toContain('no code that works now');
    expect((await second.open(path)).text).not.toContain('Example');
  });

  it('is sent five times an hour at most', async () => {
    const { path } = await aSentReferral();
    const browser = linkHolder(site);
    const before = (await codesSent()).length;
    for (let count = 0; count < 7; count += 1) {
      await sendCode(browser, path);
      site.clock.moveOn(2 * minuteMs);
    }
    expect((await codesSent()).length).toBe(before + 5);
    expect((await browser.open(`${path}?do=code`)).text).toContain('too many attempts');
  });

  it('opens neither another link nor another browser', async () => {
    const one = await opened();
    const other = await aSentReferral();
    expect((await one.browser.open(other.path)).text).not.toContain('Example');
    await sendCode(one.browser, other.path);
    const code = await newestCode();
    expect((await enter(linkHolder(site), (await aSentReferral()).path, code)).status).toBe(422);
    const stranger = linkHolder(site);
    expect((await stranger.open(one.path)).text).not.toContain('Example');
    await stranger.send(`${one.path}?do=message`, { ...rosa, text: 'Let me in' });
    expect(
      (await site.app.inject({ url: one.path, headers: { cookie: 'onward-answer=x' } })).body,
    ).not.toContain('Example');
    await enter(one.browser, other.path, code);
    for (const path of [one.path, other.path])
      expect((await one.browser.open(path)).text, 'both are open now').toContain('Example');
  });

  it('gives a new cookie, so that a planted one opens nothing', async () => {
    const { browser } = await opened();
    const planted = browser.cookie()!;
    const { path } = await aSentReferral();
    await sendCode(browser, path);
    await enter(browser, path, await newestCode());
    expect(browser.cookie()).not.toBe(planted);
    expect((await site.app.inject({ url: path, headers: { cookie: planted } })).body).not.toContain(
      'Example',
    );
  });

  it.each<[string, (browser: Browser, path: string) => unknown]>([
    ['after 8 hours', () => site.clock.moveOn(8 * hourMs)],
    ['by its button', (browser, path) => browser.send(path, { step: 'close' })],
    ['with another mailbox for codes', () => setCodes('elsewhere@example.org')],
    ['without a mailbox for codes', () => deleteAddresses(site.deps.db, 'code_email')],
    ['when both mailboxes are one', () => setCodes(charity.toUpperCase())],
  ])('closes %s', async (_when, close) => {
    const { path, browser } = await opened();
    try {
      await close(browser, path);
      const { text, status } = await browser.open(path);
      expect([status, text.includes('Example')]).toEqual([200, false]);
    } finally {
      await setCodes(codes);
    }
  });
});

describe('the steps after the answer', () => {
  it('work once each, with accounts’ rules, history and audit', async () => {
    const { id, path, browser, take } = await accepted();
    expect((await take('contact', { contact_kind: 'telephone', reached: 'yes' })).status).toBe(303);
    expect((await read(id)).first_contact_at).not.toBeNull();
    for (const [contact_at, words] of [
      ['2020-01-01T10:00', 'When it was must not be before the referral was made'],
      ['2099-01-01T10:00', 'When it was must not be in the future'],
    ] as const) {
      const wrong = await take('contact', { contact_kind: 'telephone', reached: 'yes', contact_at });
      expect([wrong.status, wrong.text.includes(words)]).toEqual([422, true]);
      expect(wrong.page.querySelector('input[name=contact_at]')?.getAttribute('value')).toBe(contact_at);
    }
    expect((await browser.open(`${path}?do=hold`)).text).toContain('check again that the person can wait');
    const wait = { reason_code: 'no-capacity', reason_text: 'The group is full until spring.' };
    const refused = await take('hold', {
      ...wait,
      expected_day: '31',
      expected_month: '2',
      expected_year: '2027',
    });
    expect([refused.status, refused.text.includes('must be a real date')]).toEqual([422, true]);
    const date = { expected_day: '1', expected_month: '3', expected_year: '2027' };
    expect((await take('hold', { ...wait, ...date })).status).toBe(303);
    expect(await read(id)).toMatchObject({ status: 'on-hold', expected_date: '2027-03-01' });
    await take('start');
    await take('start');
    expect(await statusOf(id)).toBe('in-progress');
    for (let count = 0; count < 2; count += 1) await take('message', { text: 'She likes the walks.' });
    const url = `/api/referrals/${id}/messages`;
    const { items } = (await site.app.inject({ url, headers: referrer.headers })).json();
    expect(items).toMatchObject([
      { side: 'provider', text: 'She likes the walks.', by: { name: 'Rosa Reed, Duty manager, by link' } },
    ]);
    const unanswered = await take('complete', { outcome_code: 'goals-met' });
    expect(unanswered.status).toBe(422);
    expect(unanswered.text).toContain('Select whether the GP practice has to do anything');
    const outcome = { outcome_code: 'goals-met', outcome_text: 'She walks each week.', gp_needed: 'no' };
    expect((await take('complete', outcome)).status).toBe(303);
    expect(await read(id)).toMatchObject({ status: 'completed', outcome: { code: 'goals-met' } });
    expect((await browser.open(path)).text).toContain('You completed the referral');
    expect((await take('complete', outcome)).text, 'a second click').not.toContain('was not recorded');
    const another = await browser.send(path, { answer: 'accept', name: 'Rosa Reed', role: 'Duty manager' });
    expect(another.page.querySelector('h1')!.text).toBe('The referral is over');
    expect(another.text).toContain('not recorded. What was recorded before: you completed the referral.');
    expect(await read(id)).toMatchObject({ status: 'completed' });
    for (const action of ['on-hold', 'in-progress', 'message_sent', 'completed'])
      expect(await auditActors(site.deps.db, id, `referral.${action}`), action).toMatchObject([
        { name: `Rosa Reed, Duty manager, by link sent to ${charity}`, address: '127.0.0.1' },
      ]);
  });

  it('log a contact in the way that was agreed', async () => {
    for (const [channel, kind] of [
      ['email', 'email'],
      ['telephone', 'telephone'],
      ['her sister’s landline', ''],
    ] as const) {
      const { path, browser } = await accepted({ contact: { safe: 'yes', channel } });
      const { page } = await browser.open(`${path}?do=contact`);
      const [first] = page.querySelectorAll('#contact_kind option');
      const chosen = page.querySelector('#contact_kind option[selected]') ?? first;
      expect(chosen!.getAttribute('value'), channel).toBe(kind);
    }
  });

  it('need a name, a role and a status in which they are possible', async () => {
    const { id, take } = await opened();
    expect((await take('message', { text: 'Hello', name: '' })).text).toContain('Enter your name');
    expect((await take('complete', { outcome_code: 'goals-met' })).status).toBe(303);
    expect(await statusOf(id)).toBe('requested');
  });

  it('never report a death, which concerns all their referrals', async () => {
    const { id, path, browser, take } = await accepted();
    expect((await browser.open(`${path}?do=fail`)).html).not.toContain('value="died"');
    const refused = await take('fail', { reason_code: 'died', reason_text: 'He has died.' });
    expect([refused.status, refused.text.includes('Select the reason')]).toEqual([422, true]);
    expect(await statusOf(id)).toBe('accepted');
  });

  it('never end a referral while nobody has read the news', async () => {
    const { id, path, browser, take } = await accepted();
    const told = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${id}/messages`,
      payload: { text: 'She went into hospital last night.' },
      headers: referrer.headers,
    });
    expect(told.statusCode, told.body).toBe(201);
    const refused = await take('fail', { reason_code: 'failed-contact', reason_text: 'No answer.' });
    expect([refused.status, refused.text.includes('news that nobody of your service has read')]).toEqual([
      422,
      true,
    ]);
    const { text, page } = await browser.open(path);
    expect(text).toContain('She went into hospital last night.');
    const news_read = page.querySelector('input[name=news_read]')!.getAttribute('value')!;
    await browser.send(path, { ...rosa, answer: 'confirm', news_read });
    await take('fail', { reason_code: 'failed-contact', reason_text: 'No answer.' });
    expect(await statusOf(id)).toBe('failed');
  });

  it('say that a message was sent whose words end the link', async () => {
    const { path, browser, take } = await accepted();
    expect((await take('message', { text: 'She says that she wants to die.' })).status).toBe(303);
    const { text } = await browser.open(`${path}?done=message`);
    for (const words of ['Your message was sent. The referrer is told.', 'no longer works'])
      expect(text).toContain(words);
  });

  it('end with the link, also for somebody who has a code', async () => {
    const { id, path, browser, take } = await accepted();
    const answer = await site.app.inject({
      method: 'PATCH',
      url: `/api/referrals/${id}`,
      payload: { safety_notes: 'Her husband reads her post.' },
      headers: { ...referrer.headers, 'if-match': `"${(await storedReferral(site.deps.db, id)).version}"` },
    });
    expect(answer.statusCode, answer.body).toBe(200);
    expect((await browser.open(path)).status).toBe(404);
    expect((await take('start')).status).toBe(404);
    expect((await sendCode(browser, path)).status).toBe(404);
    expect(await statusOf(id)).toBe('accepted');
  });
});

const lettersOf = async (id: string) =>
  (await storedDeliveries(site.deps.db, id)).filter(
    ({ leg, purpose }) => leg === 'gp_practice' && purpose === 'outcome',
  );
const ends = {
  complete: {
    outcome_code: 'goals-met',
    outcome_text: 'Done.',
    gp_needed: 'yes',
    gp_1_text: 'Check her blood pressure',
    gp_1_day: '1',
    gp_1_month: '3',
    gp_1_year: '2027',
    gp_1_asked_by: 'Rosa Reed, 01632 960 001',
    gp_1_told: 'yes',
  },
  fail: { reason_code: 'failed-contact', reason_text: 'She does not answer.' },
};

describe('an ending by link', () => {
  it.each(['complete', 'fail'] as const)('waits 24 hours for the referrer: %s', async (how) => {
    const { id, take } = await accepted(practice);
    expect((await take(how, ends[how])).status).toBe(303);
    expect(await lettersOf(id)).toMatchObject([{ status: 'queued', held_by: 'referrer-check' }]);
    const person = await signedInBrowser(site, { role: 'referrer', organisation: surgery });
    const { text } = await person.open(`/referrals/${id}`);
    expect(text).toContain(`${place.serviceName} says that this`);
    expect(text).toMatch(/We tell the GP practice on .+ at/);
    site.clock.moveOn(24 * hourMs - minuteMs);
    await releaseHeld(site.deps);
    expect(await lettersOf(id)).toMatchObject([{ held_by: 'referrer-check' }]);
    site.clock.moveOn(minuteMs);
    await releaseHeld(site.deps);
    expect(await lettersOf(id)).toMatchObject([{ held_by: null }]);
  });

  it.each(['complete', 'fail'] as const)('is undone as if it had not been: %s', async (how) => {
    const { id, path, browser, take } = await accepted(practice);
    const wait = { reason_code: 'no-capacity', reason_text: 'Full until spring.' };
    const date = { expected_day: '1', expected_month: '3', expected_year: '2027' };
    await take('hold', { ...wait, ...date });
    const { version: _, ...before } = await read(id);
    await take(how, ends[how]);
    // Messages of one moment have no order.
    site.clock.moveOn(1000);
    const undone = await check(id, 'undo-ending');
    expect(undone.statusCode, undone.body).toBe(200);
    const { status, status_reason, expected_date, next_date, outcome, gp_actions } = before;
    const same = { status, status_reason, expected_date, next_date, outcome, gp_actions };
    expect(await read(id)).toMatchObject(same);
    expect(await lettersOf(id)).toMatchObject([{ status: 'suppressed' }]);
    expect((await check(id, 'undo-ending')).statusCode).toBe(409);
    expect((await browser.open(path)).text).toContain('Example');
    expect(await email(id)).toMatch(
      new RegExp(`${surgery.name} says that it was a mistake that this referral was (completed|closed).`),
    );
    const person = await signedInBrowser(site, { role: 'referrer', organisation: surgery });
    const { text } = await person.open(`/referrals/${id}`);
    expect(text).toContain('Opened again: ending it was a mistake');
    expect(text).not.toMatch(/Done:\s+Completed/);
    expect(await auditActors(site.deps.db, id, 'referral.ending_undone')).toHaveLength(1);
  });

  it('is told at once when the referrer says that it is right', async () => {
    const { id, reference, take } = await accepted(practice);
    const person = await signedInBrowser(site, { role: 'referrer', organisation: surgery });
    const toCheck = async () => {
      const { page } = await person.open('/referrals?view=made&tab=waiting');
      const row = page.querySelectorAll('tbody tr').find(({ text }) => text.includes(reference));
      return row?.text.includes('Waiting for you to check the answer that came by link') ?? false;
    };
    expect(await toCheck()).toBe(false);
    await take('complete', ends.complete);
    // Nobody found it in “Needs action”, and the time to say that it is wrong passed.
    expect(await toCheck()).toBe(true);
    expect((await person.open('/')).page.querySelector(`a[href="/referrals/${id}"]`)?.text).toContain(
      reference,
    );
    const { version } = await storedReferral(site.deps.db, id);
    const sent = await person.send(`/referrals/${id}/confirm-ending`, { version: String(version) });
    expect(sent.status).toBe(303);
    expect(await lettersOf(id)).toMatchObject([{ status: 'queued', held_by: null }]);
    expect((await person.open(`/referrals/${id}`)).text).not.toContain('Check this answer');
    expect(await toCheck()).toBe(false);
    for (const what of ['undo-ending', 'confirm-ending'] as const)
      expect((await check(id, what)).statusCode).toBe(409);
    expect(await auditActors(site.deps.db, id, 'referral.ending_confirmed')).toHaveLength(1);
  });
});

describe('a service without a second mailbox', () => {
  const ring = { ...rosa, telephone: '01632 960 001', when: 'Weekdays from 9 to 12' };

  it('answers, and asks to be rung, which waits for the referrer', async () => {
    await deleteAddresses(site.deps.db, 'code_email');
    try {
      const { id, path } = await aSentReferral();
      const browser = linkHolder(site);
      expect((await browser.open(path)).text).not.toContain('Send me a code');
      const before = (await codesSent()).length;
      await sendCode(browser, path);
      expect((await codesSent()).length).toBe(before);
      for (const [wrong, words] of [
        [{ telephone: 'soon' }, 'Enter a telephone number'],
        [{ when: '' }, 'Enter a good time'],
        [{ role: '' }, 'Enter your role'],
      ] as const)
        expect((await browser.send(`${path}?do=ring`, { ...ring, ...wrong })).text).toContain(words);
      await browser.send(`${path}?do=ring`, ring);
      await browser.send(`${path}?do=ring`, ring);
      await updatePrompts(site.deps);
      const { prompts } = await read(id);
      expect(prompts).toMatchObject([{ kind: 'service-asks-to-ring', side: 'referrer' }]);
      const person = await signedInBrowser(site, { role: 'referrer', organisation: surgery });
      const { text } = await person.open(`/referrals/${id}`);
      expect(text).toContain('The service asks you to ring it');
      expect(text).toContain('01632 960 001. A good time: Weekdays from 9 to 12');
      expect(text.split('01632 960 001').length, 'once').toBe(2);
      await person.send(`/referrals/${id}/prompts/${prompts[0].id}/dismiss`, {});
      await updatePrompts(site.deps);
      expect((await read(id)).prompts).toEqual([]);
      site.clock.moveOn(minuteMs);
      await browser.send(`${path}?do=ring`, { ...ring, when: 'Today before 5' });
      await updatePrompts(site.deps);
      expect((await read(id)).prompts).toHaveLength(1);
    } finally {
      await setCodes(codes);
    }
  });
});

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { renewToken } from '../../../test/app/builders.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { answerFixture, linkHolder } from '../../../test/delivery/answer-fixture.ts';
import { deleteAddresses, setServiceAddress } from '../../../test/delivery/receivers.ts';
import { fakeNotify } from '../../../test/network/fake-notify.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { sendQueuedMails } from '../../../test/people/mail-fixture.ts';
import { minuteMs } from '../../platform/durations.ts';

const { site, place, referrer, operator, refer, linkOf } = await answerFixture();
const notify = await fakeNotify();
afterAll(async () => {
  notify.close();
  await site.close();
});

const mobile = '07700 900123';
const mailbox = 'office@footpath-friends.example.org';
const { serviceId } = place;
const setCodes = (channel: 'code_email' | 'code_telephone', address: string) =>
  setServiceAddress(site.deps.db, { serviceId, channel, address });
const rosa = { name: 'Rosa Reed', role: 'Duty manager' };
const texts = () => mailsTo(site, mobile);
const emails = async () =>
  (await mailsTo(site, mailbox)).filter(({ subject }) => subject.startsWith('Your code'));
const codesAudited = async (subjectId: string) =>
  (await storedEntries(site.deps.db, { subjectId, action: 'answer-link.code_sent' })).map(
    ({ details }) => details,
  );
const codeIn = (text: string) => /(\d{6})$/.exec(text)![1]!;

beforeEach(async () => {
  await renewToken(site.deps, referrer);
  await setCodes('code_telephone', mobile);
  await deleteAddresses(site.deps.db, 'code_email');
});

async function aLink() {
  const { id, reference } = await refer({ allow_duplicate: true });
  const path = (await linkOf(id))!;
  const browser = linkHolder(site);
  const send = (code_to?: string) =>
    browser.send(path, { step: 'send-code', ...(code_to !== undefined && { code_to }) });
  const enter = (code: string) => browser.send(`${path}?do=code`, { ...rosa, code });
  return { id, reference, path, browser, send, enter };
}

describe('a code by text', () => {
  it('opens the referral, and the text names nobody', async () => {
    const { id, reference, path, browser, send, enter } = await aLink();
    const before = await browser.open(path);
    expect(before.text).toContain('We send it to the mobile number that ends in 123');
    expect(before.html).not.toContain('900123');
    await send();
    const [text] = await texts();
    expect(text).toMatchObject({ to: mobile, isText: true });
    expect(text!.text).toMatch(
      /^Onward test site: nobody from this site will ever ask you for this code\. .* 10 minutes: \d{6}$/,
    );
    expect(text!.text).toContain(reference);
    for (const name of ['Margaret', 'Example', place.serviceName, place.organizationName])
      expect(text!.text).not.toContain(name);
    expect((await browser.open(`${path}?do=code`)).text).toContain(
      'We have sent a code to the mobile number that ends in 123',
    );
    expect((await enter(codeIn(text!.text))).status).toBe(303);
    expect((await browser.open(path)).text).toContain('Example');
    expect(await codesAudited(id)).toEqual([{ by: 'text' }]);
    expect(site.logLines.join('')).not.toMatch(new RegExp(`${codeIn(text!.text)}|900123`));
  });

  it('goes to the chosen number, and ends the code before it', async () => {
    await setCodes('code_email', mailbox);
    const { id, path, browser, send, enter } = await aLink();
    const { text, html } = await browser.open(path);
    expect(text).toContain('The email address o***@footpath-friends.example.org');
    expect(html).not.toContain(mailbox);
    const textsBefore = (await texts()).length;
    await send('email');
    const emailed = /^\d{6}/.exec((await emails())[0]!.text)![0];
    // Within the minute in which a second click sends nothing.
    await send('text');
    await send('text');
    expect((await texts()).length).toBe(textsBefore + 1);
    expect((await enter(emailed)).text).toContain('The code is not right');
    expect((await enter(codeIn((await texts())[0]!.text))).status).toBe(303);
    expect(await codesAudited(id)).toEqual([{ by: 'email' }, { by: 'text' }]);
  });

  it('is sent five times an hour at most, emails included', async () => {
    await setCodes('code_email', mailbox);
    const { send } = await aLink();
    const count = async () => (await texts()).length + (await emails()).length;
    const before = await count();
    for (let asked = 0; asked < 8; asked += 1) {
      await send(asked % 2 === 0 ? 'text' : 'email');
      site.clock.moveOn(2 * minuteMs);
    }
    expect(await count()).toBe(before + 5);
  });

  it.each([
    ['is removed', () => deleteAddresses(site.deps.db, 'code_telephone')],
    ['is replaced', () => setCodes('code_telephone', '07700 900456')],
  ])('opens nothing once its number %s', async (_, change) => {
    await setCodes('code_email', mailbox);
    const waiting = await aLink();
    await waiting.send('text');
    const code = codeIn((await texts())[0]!.text);
    const inside = await aLink();
    await inside.send('text');
    await inside.enter(codeIn((await texts())[0]!.text));
    await change();
    expect((await waiting.enter(code)).text).toContain('no code that works now');
    expect((await inside.browser.open(inside.path)).text).not.toContain('Example');
  });
});

describe('a code that waits until Notify answers again', () => {
  const post = async (who: typeof referrer, path: string, payload: object) => {
    const current = await site.app.inject({ url: path.replace(/\/[a-z-]+$/, ''), headers: referrer.headers });
    const headers = { ...who.headers, 'if-match': String(current.headers.etag) };
    const answer = await site.app.inject({ method: 'POST', url: path, payload, headers });
    expect(answer.statusCode, answer.body).toBeLessThan(300);
  };

  it.each<[string, (id: string) => Promise<unknown>, number?]>([
    ['nothing has changed', async () => undefined, 1],
    ['its number is removed', () => deleteAddresses(site.deps.db, 'code_telephone')],
    ['its number is replaced', () => setCodes('code_telephone', '07700 900456')],
    [
      'the referral is restricted',
      async (id) => {
        await renewToken(site.deps, operator);
        await post(operator, `/api/referrals/${id}/restrict`, { reason: 'Asked for by letter; ticket 311.' });
      },
    ],
    ['the person has died', (id) => post(referrer, `/api/referrals/${id}/died`, { told_by: 'Her son' })],
    [
      'it is withdrawn',
      (id) =>
        post(referrer, `/api/referrals/${id}/withdraw-as-error`, {
          status_reason: { code: 'other', text: 'Not her.' },
        }),
    ],
  ])('leaves only if it is still right: %s', async (_, end, left = 0) => {
    const { id, send } = await aLink();
    const before = { ...site.deps.settings };
    Object.assign(site.deps.settings, notify.settings, { mode: 'live' });
    notify.fault = { status: 503, error: 'Exception', message: '' };
    notify.taken.length = 0;
    try {
      await send('text');
      await sendQueuedMails(site.deps);
      await end(id);
      notify.fault = undefined;
      await sendQueuedMails(site.deps);
      expect(notify.taken.filter(({ to }) => to === mobile)).toHaveLength(left);
    } finally {
      Object.assign(site.deps.settings, before);
    }
  });
});

describe('a live site that sends no texts', () => {
  it('offers email alone', async () => {
    const { browser, path, send } = await aLink();
    const before = (await texts()).length;
    site.deps.settings.mode = 'live';
    try {
      expect((await browser.open(path)).text).toContain('has not given us a second email address for codes');
      await send('text');
    } finally {
      site.deps.settings.mode = 'test';
    }
    expect((await texts()).length).toBe(before);
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { renewToken } from '../../../test/app/builders.ts';
import { markSensitive, setPrivacy } from '../../../test/library/stored.ts';
import { storedMails } from '../../../test/mail/stored.ts';
import { fakeNotify } from '../../../test/network/fake-notify.ts';
import { sendQueuedMails } from '../../../test/people/mail-fixture.ts';
import { personPageFixture } from '../../../test/referrals/person-page-fixture.ts';
import { setReferralStatus } from '../../../test/referrals/stored.ts';

const fixture = await personPageFixture({ by: 'text' });
const { site, place, referrer, provider, operator, stranger, get, post, call } = fixture;
const { ticked, referWithPage, mails, linkTo, codeTo, telephone, openedBy } = fixture;

const notify = await fakeNotify();
afterAll(() => notify.close());

const minute = 60_000;
const safe = { safe: 'yes', channel: 'text' };
const reason = 'Asked for by letter; ticket 311.';
const versionOf = async (id: string) => (await get(referrer, `/${id}`)).body.version as number;
const act = async (who: typeof referrer, id: string, action: string, body: object = {}) => {
  const answer = await post(who, `/${id}/${action}`, body, await versionOf(id));
  expect(answer.status, answer.answer.body).toBeLessThan(300);
};
const correct = async (id: string, body: object) => {
  const answer = await call(referrer, 'PATCH', `/${id}`, { body, version: await versionOf(id) });
  expect(answer.status, answer.answer.body).toBe(200);
};

/** What makes a text about the referral unsafe, or wrong. */
const endings: [string, (id: string) => Promise<unknown>][] = [
  [
    'was withdrawn',
    (id) => act(referrer, id, 'withdraw-as-error', { status_reason: { code: 'other', text: 'Not her.' } }),
  ],
  ['was restricted', (id) => post(operator, `/${id}/restrict`, { reason })],
  [
    'was erased',
    async (id) => {
      await setReferralStatus(site.deps.db, id, 'completed');
      const told = { who_was_told: 'The duty manager', when: site.clock.now().toISOString() };
      await post(operator, `/${id}/erase`, { reason, ground: 'not-needed', told });
    },
  ],
  ['is of somebody who died', (id) => act(referrer, id, 'died', { told_by: 'Her son' })],
  ['was ended by staff', (id) => post(provider, `/${id}/person-page/end`)],
  ['says that a text is not safe', (id) => correct(id, { contact: { safe: 'yes', channel: 'email' } })],
  ['has another number', (id) => correct(id, { patient: { telephone: '07700 999999' } })],
  ['tells of abuse at home', (id) => correct(id, { needs: ['elder-abuse'] })],
  ['is to a service that is sensitive now', () => markSensitive(site.deps.db, place.serviceId)],
];

describe('the page of a person for whom texts are safe', () => {
  it('opens by a text that says nothing and a code from another', async () => {
    const { id, path, email: number, reference } = await referWithPage();
    const phone = telephone();
    const shown = await phone.open(path);
    expect(shown.text).toContain('We send the code to the mobile number that you gave');
    const { text } = await openedBy(phone, { path, email: number });
    expect(text).toContain(place.serviceName);
    const sent = await mails(number);
    expect(sent.map(({ to, isText }) => [to, isText])).toEqual([
      [number, true],
      [number, true],
    ]);
    const [code, link] = sent.map(({ text }) => text);
    expect(link).toMatch(/^You have a message\. .* http\S+\/my\/[\w-]{43}$/);
    expect(code).toMatch(/^Onward test site: nobody from this site will ever ask you .*: \d{6}$/);
    for (const secret of [reference, id, place.serviceName, place.organizationName, 'Person', 'Infirmary'])
      for (const each of [code, link]) expect(each).not.toContain(secret);
    const { body } = await get(referrer, `/${id}`);
    expect(body.person_page).toMatchObject({ send: true, opened_at: expect.any(String) });
  });

  it('sends nothing to their email address', async () => {
    const { patient, ...body } = ticked();
    await post(referrer, '', { ...body, patient });
    expect(await mails(patient.email)).toEqual([]);
    expect(await linkTo(patient.telephone)).toBeDefined();
  });

  it.each([
    ['a call is safe', { contact: { safe: 'yes', channel: 'telephone' } }, 'channel: email or text'],
    [
      'a call or a text is',
      { contact: { safe: 'yes', channel: 'telephone or text' } },
      'channel: email or text',
    ],
    [
      'the number is a landline',
      { patient: { telephone: '01632 960123' } },
      'UK mobile number in patient.telephone',
    ],
    ['there is no number', { patient: { telephone: undefined } }, 'UK mobile number in patient.telephone'],
    [
      'somebody must not know',
      { contact: { safe: 'yes', channel: 'text', who_must_not_know: 'her son' } },
      'must not learn',
    ],
    [
      'it is safe at times',
      { contact: { safe: 'only_at', only_at: 'mornings', channel: 'text' } },
      'needs contact.safe: yes',
    ],
  ])('is refused where %s', async (_, given, words) => {
    const { status, body } = await post(referrer, '', JSON.parse(JSON.stringify(ticked(given))));
    expect([status, body.errors]).toEqual([
      422,
      [{ pointer: '/person_page/send', message: expect.stringContaining(words) }],
    ]);
  });

  it('is refused, and its links end, if the site sends no texts', async () => {
    const { path } = await referWithPage();
    site.deps.settings.mode = 'live';
    try {
      expect((await telephone().open(path)).status).toBe(404);
      const { body } = await post(referrer, '', ticked());
      expect(body.errors).toEqual([
        { pointer: '/person_page/send', message: expect.stringContaining('this site sends none') },
      ]);
    } finally {
      site.deps.settings.mode = 'test';
    }
  });

  it('sends five codes an hour at most', async () => {
    const { path, email: number } = await referWithPage();
    const phone = telephone();
    for (let count = 0; count < 8; count += 1) {
      await phone.send(path, { step: 'code' });
      site.clock.moveOn(2 * minute);
    }
    expect(await mails(number)).toHaveLength(1 + 5);
    expect((await phone.open(path)).text).toContain('too many attempts');
  });

  it('tells of news by the same text, unless another says no', async () => {
    const { id, email: number } = await referWithPage();
    await act(provider, id, 'accept');
    const texts = await mails(number);
    expect([texts.length, new Set(texts.map(({ text }) => text)).size]).toEqual([2, 1]);
    const { patient } = (await get(referrer, `/${id}`)).body;
    const theirs = { ...ticked({ contact: { safe: 'no' }, person_page: undefined }), patient };
    const other = await post(stranger, '', JSON.parse(JSON.stringify(theirs)));
    expect(other.status, other.answer.body).toBe(201);
    await act(provider, id, 'start');
    await act(provider, id, 'complete', { outcome: { code: 'other', text: 'Done.' } });
    expect(await mails(number)).toHaveLength(2);
  });

  it.each(endings)('closes when the referral %s', async (_, end) => {
    const { id, path, email: number } = await referWithPage();
    const phone = telephone();
    await openedBy(phone, { path, email: number });
    site.clock.moveOn(2 * minute);
    await phone.send(path, { step: 'code' });
    const code = (await codeTo(number))!;
    const count = (await mails(number)).length;
    try {
      await end(id);
      for (const step of ['code', 'open', 'helped'])
        expect((await phone.send(path, { step, code })).html).not.toContain(place.serviceName);
      expect((await phone.open(path)).status).toBe(404);
      expect(await mails(number)).toHaveLength(count);
    } finally {
      await setPrivacy(site.deps.db, place.serviceId, { sensitive: false });
    }
  });
});

describe('a text that waits until Notify answers again', () => {
  it.each([
    ...endings,
    [
      'has another who must not know',
      (id: string) => correct(id, { contact: { ...safe, who_must_not_know: 'Son' } }),
    ],
    ['is not safe', (id: string) => correct(id, { contact: { safe: 'no' } })],
    ['is sent again', (id: string) => post(referrer, `/${id}/person-page`, { send: true }), 1],
  ] as [
    string,
    (id: string) => Promise<unknown>,
    number?,
  ][])('never leaves once the referral %s', async (what, end, left = 0) => {
    const { id, path, email: number } = await referWithPage();
    const before = { ...site.deps.settings };
    Object.assign(site.deps.settings, notify.settings, { mode: 'live' });
    notify.fault = { status: 503, error: 'Exception', message: '' };
    const taken = () => notify.taken.filter(({ to }) => to === number).length;
    try {
      await act(provider, id, 'accept');
      await telephone().send(path, { step: 'code' });
      await sendQueuedMails(site.deps);
      const calls = notify.calls;
      expect(calls).toBeGreaterThan(1);
      await end(id);
      const kept = (await storedMails(site.deps.db)).map(({ status }) => status);
      if (what === 'was erased') expect(kept).not.toContain('queued');
      notify.fault = undefined;
      await sendQueuedMails(site.deps);
      expect(taken()).toBe(left);
    } finally {
      Object.assign(site.deps.settings, before);
      await setPrivacy(site.deps.db, place.serviceId, { sensitive: false });
    }
  });
});

describe('the limits of texts', () => {
  const sendAgain = (id: string) => post(referrer, `/${id}/person-page`, { send: true });

  async function nextHour() {
    site.clock.moveOn(61 * minute);
    for (const who of [referrer, stranger]) await renewToken(site.deps, who);
  }

  it('are six an hour to one number, by all links and senders', async () => {
    const { id, email: number } = await referWithPage();
    const answers = [];
    for (let count = 0; count < 6; count += 1) answers.push(await sendAgain(id));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 422]);
    expect(answers.at(-1)!.body.errors).toEqual([
      { pointer: '/send', message: expect.stringContaining('too many went to this number') },
    ]);
    const path = (await linkTo(number))!;
    const phone = telephone();
    await phone.send(path, { step: 'code' });
    // The four between were dropped when the next was sent.
    expect(await mails(number)).toHaveLength(2);
    expect((await phone.open(path)).text).toContain('too many attempts');
    await nextHour();
    await phone.send(path, { step: 'code' });
    expect(await mails(number)).toHaveLength(3);
    for (let hour = 0; hour < 5; hour += 1) {
      for (let count = 0; count < 6; count += 1) await sendAgain(id);
      await nextHour();
    }
    expect((await sendAgain(id)).status).toBe(422);
    const before = (await mails(number)).length;
    const { patient } = (await get(referrer, `/${id}`)).body;
    const made = await post(referrer, '', { ...ticked(), patient, allow_duplicate: true });
    expect(made.status, made.answer.body).toBe(201);
    expect(await mails(number)).toHaveLength(before);
  });

  it('are reached in the same way where the text is withheld', async () => {
    const { id, email: number } = await referWithPage();
    const { patient } = (await get(referrer, `/${id}`)).body;
    const theirs = { ...ticked({ contact: { safe: 'no' }, person_page: undefined }), patient };
    await post(stranger, '', JSON.parse(JSON.stringify(theirs)));
    const statuses = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await sendAgain(id)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 422]);
    expect(await mails(number)).toHaveLength(1);
  });
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { anAccount, aService } from '../../../test/app/builders.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { pagesOfPdf } from '../../../test/delivery/letters.ts';
import { markSensitive, setPrivacy } from '../../../test/library/stored.ts';
import { personPageFixture } from '../../../test/referrals/person-page-fixture.ts';
import { storedPersonAnswers, storedPersonPages } from '../../../test/referrals/person-pages-stored.ts';
import { setReferralStatus, storedNews } from '../../../test/referrals/stored.ts';
import { listHelpAsPersonSays } from '../model/person-page/person-pages-store.ts';
import { updatePrompts } from '../overdue/update-prompts.ts';

const fixture = await personPageFixture();
const { site, place, referrer, provider, operator, stranger, get, post, call, later, elsewhere } = fixture;
const { ticked, referWithPage, mails, linkTo, codeTo, telephone, openedBy } = fixture;

const minute = 60_000;
const day = 1440 * minute;

const versionOf = async (id: string) => (await get(referrer, `/${id}`)).body.version as number;
const act = async (who: typeof referrer, id: string, action: string, body: object = {}) => {
  const answer = await post(who, `/${id}/${action}`, body, await versionOf(id));
  expect(answer.status, answer.answer.body).toBeLessThan(300);
  return answer.body;
};
const asOperator = (id: string, path: string, more: object = {}) =>
  post(operator, `/${id}${path}`, { reason: 'Asked for by letter; ticket 311.', ...more });

describe('a page for the person', () => {
  it('is sent only where the referrer ticked it', async () => {
    for (const person_page of [undefined, { send: false }]) {
      const { patient, ...body } = ticked({ person_page });
      const { status } = await post(referrer, '', JSON.parse(JSON.stringify({ ...body, patient })));
      expect([status, await mails(patient.email)]).toEqual([201, []]);
    }
    const { email, id } = await referWithPage();
    const sent = await mails(email);
    expect(sent.map(({ subject }) => subject)).toEqual(['You have a message']);
    expect((await get(referrer, `/${id}`)).body.person_page).toMatchObject({ send: true, opened_at: null });
  });

  it('is refused where a message could harm the person', async () => {
    const child = { birth_date: '2015-03-09' };
    const judged = { basis: 'competent_child', judged_by: 'Dr Ndlovu', when: '2026-11-01T10:00:00Z' };
    const refused: [string, Parameters<typeof ticked>[0]][] = [
      ['needs contact.safe: yes', { contact: { safe: 'no', channel: 'email' } }],
      ['needs contact.safe: yes', { contact: { safe: 'only_at', channel: 'email', only_at: 'mornings' } }],
      ['needs contact.safe: yes', { contact: undefined }],
      ['needs contact.channel: email', { contact: { safe: 'yes' } }],
      ['needs contact.channel: email', { contact: { safe: 'yes', channel: 'letter' } }],
      ['needs contact.channel: email or text', { contact: { safe: 'yes', channel: 'telephone' } }],
      ['patient.email', { patient: { email: undefined } }],
      ['watched at home', { needs: ['stress', 'intimate-partner-violence'] }],
      ['abused, controlled or watched at home', { needs: ['elder-abuse'] }],
      ['watched at home', { safety_notes: 'Her partner checks her phone.' }],
      ['at risk of serious harm', { risk: 'could_not_ask' }],
      [
        'at risk of serious harm',
        { risk: 'yes', risk_acted_on: { who_was_told: 'MARAC', when: site.clock.now().toISOString() } },
      ],
      ['at risk of serious harm', { what_matters: 'Her husband hits her and reads her email.' }],
      ['under 16', { patient: child, agreement: { basis: 'parental_responsibility' } }],
      ['best interests', { agreement: { basis: 'best_interests', decided_by: 'Jo Reed, social worker' } }],
      ['attorney', { agreement: { basis: 'attorney_or_deputy', decided_by: 'Her daughter Jo' } }],
      ['must not learn', { contact: { safe: 'yes', channel: 'email', who_must_not_know: 'her son' } }],
    ];
    for (const [words, given] of refused) {
      const { status, body } = await post(referrer, '', JSON.parse(JSON.stringify(ticked(given))));
      const error = { pointer: '/person_page/send', message: expect.stringContaining(words) };
      expect([status, body.errors]).toEqual([422, [error]]);
    }
    const { email } = await referWithPage({ patient: child, agreement: judged });
    expect(await mails(email)).toHaveLength(1);
    await markSensitive(site.deps.db, elsewhere.serviceId);
    const toRefuge = { ...ticked(), service_id: elsewhere.serviceId };
    expect((await post(referrer, '', toRefuge)).body.errors[0].message).toContain('for this service');
  });

  it('is asked again for each referral, also for a replacement', async () => {
    const { id } = await referWithPage();
    await act(provider, id, 'reject', { status_reason: { code: 'no-capacity', text: 'Full.' } });
    const { consent } = ticked();
    const again = { service_id: place.serviceId, consent, allow_duplicate: true };
    const another = await post(referrer, `/${id}/reroute`, again);
    expect([another.status, another.body.person_page]).toEqual([201, undefined]);
  });

  it('says one name if a service and its organisation share it', async () => {
    const named = { serviceName: 'Sarrowby Men’s Shed', organizationName: 'Sarrowby Men’s Shed' };
    const { serviceId } = await aService(site.deps, named);
    const sent = await referWithPage({ service_id: serviceId });
    const { text } = await openedBy(telephone(), sent);
    expect(text).toContain('Sarrowby Men’s Shed');
    expect(text).not.toContain('Sarrowby Men’s Shed, Sarrowby Men’s Shed');
  });

  it('says only that there is a message until a code opens it', async () => {
    const { path, email, reference, id } = await referWithPage();
    const [mail] = await mails(email);
    const phone = telephone();
    const shown = await phone.open(path);
    expect([shown.status, shown.page.querySelector('h1')?.text]).toEqual([200, 'You have a message']);
    expect(shown.page.querySelector('body')!.querySelector('button')?.text.trim()).toBe('Leave this page');
    expect(shown.html).toContain('Nobody reads this page at night');
    for (const secret of [reference, id, place.serviceName, place.organizationName, 'Person', 'Infirmary'])
      for (const text of [shown.html, mail!.text, mail!.subject]) expect(text).not.toContain(secret);
    expect(shown.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
    });
    const opened = await openedBy(phone, { path, email });
    expect(opened.text).toContain('They have not answered yet.');
    expect(opened.text).toContain(place.serviceName);
    expect(opened.html).not.toContain('Person ');
    const { body } = await get(referrer, `/${id}`);
    expect(body.person_page.opened_at).not.toBeNull();
  });

  it('follows the referral in plain words; emails only of news', async () => {
    const { path, email, id } = await referWithPage();
    const phone = telephone();
    const said = async () => (await openedBy(phone, { path, email })).text;
    await act(provider, id, 'accept');
    expect(await said()).toContain('said yes: they will help you');
    const at = new Date(site.clock.now().getTime() + 5 * day).toISOString();
    await post(provider, `/${id}/appointments`, { at, kind: 'in-person', place: 'Room 4' });
    expect((await phone.open(path)).text).toMatch(/Your appointment[\s\S]*in person, Room 4/);
    await act(provider, id, 'hold', { status_reason: { code: 'no-capacity', text: 'Until Moira is back.' } });
    const waiting = (await phone.open(path)).text;
    expect(waiting).toContain('You are on the waiting list');
    expect(waiting).not.toContain('Moira');
    await act(provider, id, 'start');
    await act(provider, id, 'complete', { outcome: { code: 'other', text: 'She is a handful.' } });
    const ended = (await phone.open(path)).text;
    expect(ended).toContain('has ended');
    expect(ended).not.toContain('handful');
    expect(ended, 'an appointment that is still ahead').not.toContain('Your appointment');
    const links = (await mails(email)).filter(({ subject }) => subject === 'You have a message');
    expect(links).toHaveLength(4);
    expect(new Set(links.map(({ text }) => text)).size).toBe(1);
    await later(91 * day);
    expect((await phone.open(path)).status, 'three months later').toBe(404);
  });

  it('says why it was declined only in fixed words', async () => {
    const { path, email, id } = await referWithPage();
    await act(provider, id, 'reject', { status_reason: { code: 'no-capacity', text: 'She shouts.' } });
    const { text } = await openedBy(telephone(), { path, email });
    expect(text).toContain('They have no place at the moment.');
    expect(text).not.toContain('shouts');
  });

  it('is sent again by the referrer, and ended by either side', async () => {
    const { path, email, id } = await referWithPage();
    for (const [who, status] of [
      [operator, 403],
      [stranger, 404],
    ] as const) {
      expect((await post(who, `/${id}/person-page/end`)).status).toBe(status);
      expect((await post(who, `/${id}/person-page`, { send: true })).status).toBe(status);
    }
    expect((await post(provider, `/${id}/person-page`, { send: true })).status).toBe(403);
    const phone = telephone();
    await openedBy(phone, { path, email });
    const ended = await post(provider, `/${id}/person-page/end`, { asked_by_person: true });
    expect([ended.status, ended.body.person_page.ended_at]).toEqual([200, expect.any(String)]);
    expect((await phone.open(path)).status).toBe(404);
    expect((await post(referrer, `/${id}/person-page/end`)).status, 'twice').toBe(200);
    expect((await post(referrer, `/${id}/person-page`, { send: true })).status).toBe(200);
    const newer = (await linkTo(email))!;
    expect(newer).not.toBe(path);
    expect((await phone.open(path)).status).toBe(404);
    expect((await phone.open(newer)).text).toContain('You have a message');
    const actions = (await storedEntries(site.deps.db, { subjectId: id })).map(({ action }) => action);
    expect(actions.filter((action) => action.startsWith('person_page'))).toEqual([
      'person_page.opened',
      'person_page.ended',
      'person_page.sent',
    ]);
    const { items } = (
      await site.app.inject({
        url: '/api/events?type=referral.person-page-changed&limit=200',
        headers: referrer.headers,
      })
    ).json();
    expect(items.filter(({ resource }: { resource: { id: string } }) => resource.id === id)).toHaveLength(2);
  });
});

describe('the code of a page', () => {
  it('is never a date of birth, and works once, for ten minutes', async () => {
    const page = await referWithPage();
    const { path, email } = page;
    const phone = telephone();
    expect((await phone.send(path, { step: 'open', code: '090347' })).text).toContain('Get a new one');
    await phone.send(path, { step: 'code' });
    for (const code of ['09031947', '', 'abcdef', '1947-03-09'])
      expect((await phone.send(path, { step: 'open', code })).status).toBe(422);
    const code = (await codeTo(email))!;
    const [first, second] = [telephone(), telephone()];
    await Promise.all([first.send(path, { step: 'open', code }), second.send(path, { step: 'open', code })]);
    const texts = [(await first.open(path)).text, (await second.open(path)).text];
    expect(texts.filter((text) => text.includes('Where it stands'))).toHaveLength(1);
    site.clock.moveOn(2 * minute);
    await phone.send(path, { step: 'code' });
    const late = (await codeTo(email))!;
    site.clock.moveOn(11 * minute);
    expect((await phone.send(path, { step: 'open', code: late })).status).toBe(422);
  });

  it('is followed by a pause after five wrong ones, then longer', async () => {
    const { path, email, id } = await referWithPage();
    const phone = telephone();
    const wrong = async () => {
      const right = await codeTo(email);
      const code = right === '000000' ? '111111' : '000000';
      return phone.send(path, { step: 'open', code });
    };
    const fail = async () => {
      await phone.send(path, { step: 'code' });
      // Together, as a script would.
      await Promise.all(Array.from({ length: 12 }, wrong));
    };
    await fail();
    const shown = await phone.open(path);
    expect(shown.text).toContain('too many attempts');
    const code = (await codeTo(email))!;
    await phone.send(path, { step: 'open', code });
    await phone.send(path, { step: 'code' });
    expect((await phone.open(path)).text, 'the right one, too late').toContain('too many attempts');
    const actions = (await storedEntries(site.deps.db, { subjectId: id })).map(({ action }) => action);
    expect(actions.filter((action) => action === 'person_page.code_refused')).toHaveLength(5);
    site.clock.moveOn(16 * minute);
    await fail();
    site.clock.moveOn(16 * minute);
    expect((await phone.open(path)).text).toContain('too many attempts');
    site.clock.moveOn(16 * minute);
    expect((await openedBy(phone, { path, email })).text).toContain('Where it stands');
  });

  it('is not emailed without end; a second click sends none', async () => {
    const { path, email } = await referWithPage();
    const phone = telephone();
    const codes = async () => (await mails(email)).filter(({ subject }) => subject === 'Your code').length;
    await Promise.all([phone.send(path, { step: 'code' }), phone.send(path, { step: 'code' })]);
    expect(await codes()).toBe(1);
    for (let count = 0; count < 8; count += 1) {
      site.clock.moveOn(2 * minute);
      await phone.send(path, { step: 'code' });
    }
    expect(await codes()).toBe(5);
    expect((await phone.open(path)).text).toContain('too many attempts');
  });

  it('opens the page for one browser and half an hour', async () => {
    const page = await referWithPage();
    const phone = telephone();
    await openedBy(phone, page);
    const forwarded = await telephone().open(page.path);
    expect(forwarded.text).not.toContain('Where it stands');
    const other = await referWithPage();
    expect((await phone.open(other.path)).text, 'another person’s page').not.toContain('Where it stands');
    site.clock.moveOn(31 * minute);
    expect((await phone.open(page.path)).text).toContain('You have a message');
  });

  it('is over at once when the person leaves the page', async () => {
    const page = await referWithPage();
    const phone = telephone();
    await openedBy(phone, page);
    const left = await phone.send(page.path, { step: 'leave' });
    expect(left.headers.refresh).toBe('0; url=https://www.bbc.co.uk/weather');
    expect(left.html).not.toContain('message');
    expect((await phone.open(page.path)).text).toContain('You have a message');
  });
});

/** For an erasure while letters wait. */
const told = () => ({ who_was_told: 'The duty manager', when: site.clock.now().toISOString() });

describe('a link to a page', () => {
  it('changes nothing when opened; its secret is stored nowhere', async () => {
    const { path, id } = await referWithPage();
    const before = await storedPersonPages(site.deps.db, id);
    for (const headers of [{}, { 'sec-purpose': 'prefetch' }, { purpose: 'preview' }])
      await telephone().open(path, headers);
    await site.app.inject({ method: 'HEAD', url: path });
    await telephone().send(path, {});
    await telephone().send(path, { step: 'open', code: '123456' });
    expect(await storedPersonPages(site.deps.db, id)).toEqual(before);
    const secret = path.split('/').at(-1)!;
    expect(JSON.stringify(before)).not.toContain(secret);
    expect(site.logLines.join('\n')).not.toContain(secret);
    expect(site.logLines.join('\n')).toContain('/my/:secret');
  });

  it.each([
    'x',
    'A'.repeat(42),
    'A'.repeat(43),
    'A'.repeat(200),
    '%E2%82%AC',
    '%00',
  ])('looks the same for the guess “%s”', async (guess) => {
    const { status, text } = await telephone().open(`/my/${guess}`);
    expect([status, text.includes('no longer works')]).toEqual([404, true]);
  });

  const ends: [string, (id: string) => Promise<unknown>][] = [
    [
      'the referral was withdrawn',
      (id) => act(referrer, id, 'withdraw-as-error', { status_reason: { code: 'other', text: 'Not her.' } }),
    ],
    ['the record was restricted', (id) => asOperator(id, '/restrict')],
    [
      'it was erased',
      async (id) => {
        await setReferralStatus(site.deps.db, id, 'completed');
        await asOperator(id, '/erase', { ground: 'not-needed', told: told() });
      },
    ],
    ['the person was said to have died', (id) => act(referrer, id, 'died', { told_by: 'Her son' })],
    [
      'it ended because they died',
      (id) => act(referrer, id, 'cancel', { status_reason: { code: 'died', text: 'Her son rang.' } }),
    ],
    ['they agree to less', (id) => post(referrer, `/${id}/agreement-changed`, { share_with_gp: false })],
    ['they no longer agree', (id) => post(referrer, `/${id}/agreement-changed`, { referral: false })],
    ['email is no longer safe', (id) => correct(id, { contact: { safe: 'no' } })],
    ['they have another address', (id) => correct(id, { patient: { email: 'new@example.org' } })],
    ['a need is dangerous', (id) => correct(id, { needs: ['elder-abuse'] })],
    [
      'things have changed',
      (id) => post(referrer, `/${id}/things-have-changed`, { text: 'He reads her phone now.' }),
    ],
    ['a safety note has words of a crisis', (id) => correct(id, { safety_notes: 'Violent partner.' })],
    ['the service is sensitive', () => markSensitive(site.deps.db, place.serviceId)],
  ];
  const correct = async (id: string, body: object) => {
    const version = await versionOf(id);
    const answer = await call(referrer, 'PATCH', `/${id}`, { body, version });
    expect(answer.status, answer.answer.body).toBe(200);
  };

  it.each(ends)('ends when %s', async (_why, end) => {
    const { path, email, id } = await referWithPage();
    const phone = telephone();
    await openedBy(phone, { path, email });
    site.clock.moveOn(2 * minute);
    await phone.send(path, { step: 'code' });
    const code = (await codeTo(email))!;
    const count = (await mails(email)).length;
    await end(id);
    onTestFinished(() => setPrivacy(site.deps.db, place.serviceId, { sensitive: false }));
    const guessed = (await phone.open(`/my/${'A'.repeat(43)}`)).text;
    for (const step of ['code', 'open', 'helped', 'stop'])
      expect((await phone.send(path, { step, code })).html).not.toContain(place.serviceName);
    const shown = await phone.open(path);
    expect([shown.status, shown.text]).toEqual([404, guessed]);
    expect(await mails(email)).toHaveLength(count);
  });

  it.each([
    ['words of a crisis', 'She wants to die.'],
    ['words of abuse at home', 'Her partner is violent and reads her email.'],
  ])('ends with %s in a message, contact note or outcome', async (_, text) => {
    const logContact = (id: string) =>
      post(provider, `/${id}/contacts`, {
        at: site.clock.now().toISOString(),
        kind: 'telephone',
        reached: true,
        note: text,
      });
    const writes: ((id: string) => Promise<unknown>)[] = [
      (id) => post(provider, `/${id}/messages`, { text }),
      (id) => post(referrer, `/${id}/messages`, { text }),
      logContact,
      async (id) => {
        await act(provider, id, 'start');
        await act(provider, id, 'complete', { outcome: { code: 'other', text } });
      },
    ];
    for (const write of writes) {
      const { id, email } = await referWithPage();
      await act(provider, id, 'accept');
      const before = (await mails(email)).length;
      await post(provider, `/${id}/messages`, { text: 'She likes the choir.' });
      expect((await get(referrer, `/${id}`)).body.person_page.ended_at).toBeNull();
      await write(id);
      expect((await get(referrer, `/${id}`)).body.person_page.ended_at).not.toBeNull();
      expect(await mails(email)).toHaveLength(before);
      // A note of a contact stays part of what the referral says, so that no link can be sent.
      const canSend = write !== logContact;
      const { status } = await post(referrer, `/${id}/person-page`, { send: true });
      expect([status, await mails(email)]).toEqual([
        canSend ? 200 : 422,
        expect.objectContaining({ length: before + (canSend ? 1 : 0) }),
      ]);
    }
  });

  it('tells staff that the links have ended', async () => {
    const { id } = await referWithPage();
    await correct(id, { needs: ['elder-abuse'] });
    const { person_page } = (await get(referrer, `/${id}`)).body;
    expect(person_page).toMatchObject({ ended_at: expect.any(String) });
  });
});

describe('a person who may not be sent messages, as another organisation says', () => {
  /** Another organisation refers the same person, to the same service or another one. */
  const referElsewhere = async (patient: object, serviceId: string) => {
    const theirs = {
      ...ticked({ patient, contact: { safe: 'no' }, person_page: undefined }),
      service_id: serviceId,
    };
    const { status, body } = await post(stranger, '', JSON.parse(JSON.stringify(theirs)));
    expect(status).toBe(201);
    return body as { id: string };
  };
  /** What the referrer sees: moments only as such, and whether the leaflet has the link. */
  const seenOf = async (id: string) => {
    const { person_page, contact_elsewhere, prompts, version, status } = (await get(referrer, `/${id}`)).body;
    const shown = JSON.stringify({ person_page, contact_elsewhere, prompts, version, status });
    const leaflet = await site.app.inject({
      url: `/api/referrals/${id}/leaflet.pdf`,
      headers: referrer.headers,
    });
    const hasLink = (await pagesOfPdf(leaflet.rawPayload)).join('').includes('camera');
    return [shown.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a moment'), hasLink];
  };
  const services = [
    ['the same service', () => place.serviceId],
    ['another service', () => elsewhere.serviceId],
  ] as const;

  it.each(services)('gets no link, and its referrer sees no difference, by %s', async (_, service) => {
    const [theirs, plain] = [ticked(), ticked()];
    await referElsewhere(theirs.patient, service());
    const ids = [];
    for (const body of [theirs, plain]) {
      const made = await post(referrer, '', body);
      expect(made.status).toBe(201);
      ids.push(made.body.id as string);
    }
    const [withheld, usual] = ids as [string, string];
    expect([await mails(theirs.patient.email), (await mails(plain.patient.email)).length]).toEqual([[], 1]);
    expect(await seenOf(withheld)).toEqual(await seenOf(usual));
    site.clock.moveOn(minute);
    for (const id of ids) {
      const again = await post(referrer, `/${id}/person-page`, { send: true });
      expect(again.status).toBe(200);
      await act(provider, id, 'accept');
    }
    expect(await mails(theirs.patient.email)).toEqual([]);
    expect(await seenOf(withheld)).toEqual(await seenOf(usual));
  });

  it.each(services)('loses their link, and its referrer sees no difference, by %s', async (_, service) => {
    const body = ticked();
    const { id } = (await post(referrer, '', body)).body;
    const { email } = body.patient;
    const path = (await linkTo(email))!;
    const phone = telephone();
    await openedBy(phone, { path, email });
    const before = await seenOf(id);
    const count = (await mails(email)).length;
    const other = await referElsewhere(body.patient, service());
    expect((await phone.open(path)).text).not.toContain('Where it stands');
    site.clock.moveOn(2 * minute);
    // The link of a leaflet answers as always, and no code comes.
    expect((await phone.send(path, { step: 'code' })).status).toBeLessThan(400);
    expect((await phone.open(path)).text).toContain('You have a message');
    expect(await mails(email)).toHaveLength(count);
    expect(await seenOf(id)).toEqual(before);
    const status_reason = { code: 'other', text: 'Moved.' };
    expect((await post(stranger, `/${other.id}/cancel`, { status_reason }, 1)).status).toBe(200);
    await act(provider, id, 'accept');
    expect(await mails(email), 'also once the other referral has ended').toHaveLength(count);
  });

  it('gets none if colleagues made the other; the referrer knows', async () => {
    const body = ticked();
    const { id } = (await post(referrer, '', body)).body;
    const theirs = {
      ...body,
      contact: { safe: 'no' },
      person_page: undefined,
      service_id: elsewhere.serviceId,
    };
    const other = await post(fixture.colleague, '', JSON.parse(JSON.stringify(theirs)));
    expect(other.status).toBe(201);
    expect((await get(referrer, `/${id}`)).body.person_page.ended_at).not.toBeNull();
    expect((await post(referrer, `/${id}/person-page`, { send: true })).status).toBe(409);
  });
});

describe('a danger that another open referral of the person tells of', () => {
  const toldOf = () => ({ who_was_told: 'MARAC', when: site.clock.now().toISOString() });
  const dangers: [string, () => object][] = [
    ['a need', () => ({ needs: ['intimate-partner-violence'] })],
    ['a risk', () => ({ risk: 'yes', risk_acted_on: toldOf() })],
    ['words of a crisis', () => ({ what_matters: 'She wants to die.' })],
    ['words of abuse at home', () => ({ safety_notes: 'Her partner checks her phone.' })],
    ['somebody who must not know', () => ({ contact: { safe: 'yes', who_must_not_know: 'her son' } })],
  ];
  const { colleague } = fixture;
  const referAgain = async (who: typeof referrer, patient: object, danger: object) => {
    const given = { patient, person_page: undefined, contact: { safe: 'yes' }, ...danger };
    const body = { ...ticked(given), service_id: elsewhere.serviceId };
    const { status, answer, body: made } = await post(who, '', JSON.parse(JSON.stringify(body)));
    expect(status, answer.body).toBe(201);
    return made as { id: string };
  };

  /** A page that the person has opened on their telephone, and how many emails they got so far. */
  const withOpenPage = async () => {
    const { patient, ...rest } = ticked();
    const { id } = (await post(referrer, '', { ...rest, patient })).body;
    const path = (await linkTo(patient.email))!;
    const phone = telephone();
    await openedBy(phone, { path, email: patient.email });
    return { patient, rest, id, path, phone, count: (await mails(patient.email)).length };
  };

  it.each(dangers)('ends the page if colleagues wrote it, and none is sent: %s', async (_, danger) => {
    const { patient, rest, id, path, phone, count } = await withOpenPage();
    await referAgain(colleague, patient, danger());
    expect((await phone.open(path)).status).toBe(404);
    expect((await get(referrer, `/${id}`)).body.person_page.ended_at).not.toBeNull();
    expect((await post(referrer, `/${id}/person-page`, { send: true })).status).toBe(409);
    const third = { ...rest, patient, allow_duplicate: true };
    const unsent = await post(referrer, '', third);
    expect([unsent.status, unsent.body.person_page]).toMatchObject([201, { send: true, sent_at: null }]);
    expect(await mails(patient.email)).toHaveLength(count);
  });

  it.each(dangers)('withholds the page if another organisation wrote it: %s', async (_, danger) => {
    const { patient, id, path, phone, count } = await withOpenPage();
    await referAgain(stranger, patient, danger());
    expect((await phone.open(path)).text).not.toContain('Where it stands');
    expect((await get(referrer, `/${id}`)).body.person_page.ended_at).toBeNull();
    expect((await post(referrer, `/${id}/person-page`, { send: true })).status).toBe(200);
    expect(await mails(patient.email)).toHaveLength(count);
  });

  it.each([
    ['colleagues', colleague],
    ['another organisation', stranger],
  ])('closes the page of an ended referral for good, written by %s', async (_, who) => {
    const { patient, id, path, phone } = await withOpenPage();
    const why = { status_reason: { code: 'other', text: 'She found a group herself.' } };
    expect((await post(referrer, `/${id}/cancel`, why, 1)).status).toBe(200);
    expect((await phone.open(path)).text).toContain('Where it stands');
    const other = await referAgain(who, patient, { safety_notes: 'Her partner checks her phone.' });
    expect((await phone.open(path)).text).not.toContain('Where it stands');
    expect((await post(who, `/${other.id}/cancel`, why, 1)).status).toBe(200);
    const again = telephone();
    const count = (await mails(patient.email)).length;
    expect((await again.open(path)).text).not.toContain('Where it stands');
    await again.send(path, {});
    expect(await mails(patient.email), 'no code either').toHaveLength(count);
    expect((await phone.open(path)).text).not.toContain('Where it stands');
  });

  it('counts when it is written later, in whatever it is written', async () => {
    const text = 'Her partner is violent and reads her email.';
    const writes: ((id: string) => Promise<{ status: number }>)[] = [
      (id) => call(colleague, 'PATCH', `/${id}`, { body: { safety_notes: text }, version: 1 }),
      (id) => post(colleague, `/${id}/messages`, { text }),
      (id) => post(colleague, `/${id}/things-have-changed`, { text }),
      (id) => post(colleague, `/${id}/cancel`, { status_reason: { code: 'other', text } }, 1),
    ];
    for (const write of writes) {
      const { patient, ...rest } = ticked();
      const { id } = (await post(referrer, '', { ...rest, patient })).body;
      const other = await referAgain(colleague, patient, {});
      expect((await get(referrer, `/${id}`)).body.person_page.ended_at, 'no danger yet').toBeNull();
      expect((await write(other.id)).status).toBeLessThan(300);
      expect((await get(referrer, `/${id}`)).body.person_page.ended_at).not.toBeNull();
    }
  });
});

describe('what the person says on their page', () => {
  const promptsOf = async (id: string) => {
    await updatePrompts(site.deps);
    return (await get(referrer, `/${id}`)).body.prompts;
  };
  /** As a colleague of the referrer sees it. */
  const pageOfReferral = async (id: string) => {
    const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
    const { email, password } = await anAccount(site.deps, { role: 'referrer', organisation });
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const payload = new URLSearchParams({ email, password }).toString();
    const { headers: answered } = await site.app.inject({ method: 'POST', url: '/signin', headers, payload });
    const cookie = String(answered['set-cookie']).split(';')[0]!;
    return (await site.app.inject({ url: `/referrals/${id}`, headers: { cookie } })).body;
  };
  const kindsOf = async (id: string) => (await promptsOf(id)).map(({ kind }: { kind: string }) => kind);

  it('is a request for staff to confirm if no longer wanted', async () => {
    const { path, email, id } = await referWithPage();
    const phone = telephone();
    await openedBy(phone, { path, email });
    await Promise.all([phone.send(path, { step: 'stop' }), phone.send(path, { step: 'stop' })]);
    const { text } = await phone.open(path);
    expect(text.indexOf('Until then nothing changes')).toBeLessThan(text.indexOf('Where it stands'));
    expect(text.indexOf('Until then nothing changes')).toBeGreaterThan(-1);
    const { body } = await get(provider, `/${id}`);
    expect([body.status, body.person_page.no_longer_wanted_at]).toEqual(['requested', expect.any(String)]);
    const [prompt] = await promptsOf(id);
    expect(prompt).toMatchObject({ kind: 'person-wants-to-stop', side: 'referrer' });
    await post(referrer, `/${id}/prompts/${prompt.id}/dismiss`);
    expect(await kindsOf(id)).toEqual([]);
    expect(await storedPersonAnswers(site.deps.db, id)).toHaveLength(1);
  });

  it('is not forgotten if the service declines meanwhile', async () => {
    const { path, email, id } = await referWithPage();
    const phone = telephone();
    await openedBy(phone, { path, email });
    await phone.send(path, { step: 'stop' });
    await act(provider, id, 'reject', { status_reason: { code: 'no-capacity', text: 'Full.' } });
    expect(await kindsOf(id)).toContain('person-wants-to-stop');
    expect((await phone.open(path)).text).toContain('Somebody will contact you');
    const referralPage = await pageOfReferral(id);
    expect(referralPage).toContain('The person, on their own page');
    const another = await pageOfReferral(`${id}/reroute`);
    expect(another).toContain('Speak with the person first');
    const other = await pageOfReferral(`new?service=${place.serviceId}&reroutes=${id}`);
    expect(other).toContain('Speak with the person first');
    const [prompt] = (await promptsOf(id)).filter(({ kind }: any) => kind === 'person-wants-to-stop');
    await post(referrer, `/${id}/prompts/${prompt.id}/dismiss`);
    expect(await kindsOf(id)).not.toContain('person-wants-to-stop');
    expect(await pageOfReferral(`${id}/reroute`)).not.toContain('Speak with the person first');
    expect((await phone.open(path)).text).not.toContain('Somebody will contact you');
  });

  it('needs nobody once the referrer has cancelled', async () => {
    const { path, email, id } = await referWithPage();
    const phone = telephone();
    await openedBy(phone, { path, email });
    await phone.send(path, { step: 'stop' });
    await post(referrer, `/${id}/cancel`, { status_reason: { code: 'other', text: 'She rang.' } }, 1);
    expect(await kindsOf(id)).toEqual([]);
  });

  it('shows whom to call and waits for somebody without help', async () => {
    const { path, email, id } = await referWithPage();
    const phone = telephone();
    await openedBy(phone, { path, email });
    await phone.send(path, { step: 'not-helped' });
    expect((await get(referrer, `/${id}`)).body.person_page.got_help, 'too early').toBeNull();
    await act(provider, id, 'accept');
    await phone.send(path, { step: 'perhaps' });
    await phone.send(path, { step: 'not-helped' });
    for (const words of ['116 123', '999', 'option 2'])
      expect((await phone.open(path)).text).toContain(words);
    // The page exists only where email is the safe way.
    expect((await phone.open(path)).text).not.toContain('ring you');
    await act(provider, id, 'start');
    await act(provider, id, 'complete', { outcome: { code: 'other', text: 'Done.' } });
    expect(await kindsOf(id), 'although it has ended').toEqual(['person-not-helped']);
    for (const who of [referrer, provider])
      expect((await get(who, `/${id}`)).body.person_page.got_help).toBe(false);
    // Ids begin with their moment, and so have the order in which they were made.
    site.clock.moveOn(minute);
    await phone.send(path, { step: 'helped' });
    expect(await kindsOf(id), 'somebody else may have pressed it').toEqual(['person-not-helped']);
    expect((await get(referrer, `/${id}`)).body.person_page.got_help).toBe(true);
    expect(await listHelpAsPersonSays(site.deps.db, [id])).toEqual(new Map([[id, true]]));
  });

  it('makes a colleague who may not know the service ask first', async () => {
    const { path, email, id } = await referWithPage();
    const phone = telephone();
    await openedBy(phone, { path, email });
    await phone.send(path, { step: 'stop' });
    await updatePrompts(site.deps);
    expect(await pageOfReferral(id)).toContain('Contact them in the way that is safe');
    await markSensitive(site.deps.db, place.serviceId);
    onTestFinished(() => setPrivacy(site.deps.db, place.serviceId, { sensitive: false }));
    const hidden = await pageOfReferral(id);
    for (const words of ['Do not contact this person before you have asked', 'Ask who referred them how to'])
      expect(hidden).toContain(words);
    expect(hidden).not.toContain('that is safe');
  });

  it('keeps the row to ring them, until staff settle it', async () => {
    const { path, email, id } = await referWithPage();
    const phone = telephone();
    await openedBy(phone, { path, email });
    await act(provider, id, 'accept');
    await phone.send(path, { step: 'helped' });
    const news = await storedNews(site.deps.db, id);
    expect([news.includes('person-said'), news.includes('changed')]).toEqual([true, false]);
    expect((await phone.open(path)).text).not.toContain('Somebody will still contact you');
    site.clock.moveOn(1000);
    await phone.send(path, { step: 'not-helped' });
    site.clock.moveOn(1000);
    await phone.send(path, { step: 'helped' });
    expect((await phone.open(path)).text).toContain('Somebody will still contact you');
    const [prompt] = await promptsOf(id);
    expect(prompt).toMatchObject({ kind: 'person-not-helped', side: 'referrer' });
    expect(await pageOfReferral(id)).toContain(
      'and then said that they got help: contact them in the way that is safe, to make sure that it was them',
    );
    await post(referrer, `/${id}/prompts/${prompt.id}/dismiss`);
    expect(await kindsOf(id)).toEqual([]);
    expect((await phone.open(path)).text).not.toContain('Somebody will still contact you');
  });

  it('counts only from the browser that has entered a code', async () => {
    const { path, id } = await referWithPage();
    for (const step of ['stop', 'helped', 'not-helped']) await telephone().send(path, { step });
    expect(await storedPersonAnswers(site.deps.db, id)).toEqual([]);
  });

  it('is erased with the record', async () => {
    const { path, email, id } = await referWithPage();
    const phone = telephone();
    await openedBy(phone, { path, email });
    await phone.send(path, { step: 'stop' });
    await setReferralStatus(site.deps.db, id, 'completed');
    const { status } = await asOperator(id, '/erase', { ground: 'not-needed', told: told() });
    expect(status).toBe(200);
    expect(await storedPersonPages(site.deps.db, id)).toEqual([]);
    expect(await storedPersonAnswers(site.deps.db, id)).toEqual([]);
  });
});

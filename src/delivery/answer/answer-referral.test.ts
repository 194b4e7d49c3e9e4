import { afterAll, describe, expect, it } from 'vitest';
import { aService } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { answerFixture, linkHolder } from '../../../test/delivery/answer-fixture.ts';
import { capturedMessages, storedAnswerLinks, storedDeliveries } from '../../../test/delivery/stored.ts';
import { setPrivacy } from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { auditActors, setReferralStatus, storedReferral } from '../../../test/referrals/stored.ts';
import { fingerprintOfUnread } from '../../referrals/index.ts';

const { site, place, referrer, operator, charity, ...world } = await answerFixture();
const { refer, email, linkOf, reachedBy, setAddress } = world;
afterAll(() => site.close());
const holder = linkHolder(site);

const rosa = { name: 'Rosa Reed', role: 'Duty manager' };
const accept = { ...rosa, answer: 'accept' };
const decline = { ...rosa, answer: 'decline', reason: 'no-capacity', explanation: 'The group is full.' };
const confirm = { ...rosa, answer: 'confirm' };
const statusOf = async (id: string) => (await storedReferral(site.deps.db, id)).status;
const toServiceOf = async (id: string) =>
  (await storedDeliveries(site.deps.db, id)).filter(({ leg }) => leg === 'service');
/** A referral whose service has the email with the link. */
async function anOpenReferral(given: Record<string, unknown> = {}) {
  const { id, reference } = await refer(given);
  const path = await linkOf(id);
  return { id, reference, path: path! };
}

describe('a link to answer', () => {
  it('shows who it is only as initials, age band and district', async () => {
    const { path, reference, id } = await anOpenReferral({ urgency: 'urgent' });
    const { text, html, headers, status } = await holder.open(path);
    expect(status).toBe(200);
    expect(text).toContain(reference);
    expect(text).toContain('Urgent');
    expect(text).toMatch(/ME, \d+ to \d+, ZT1/);
    const { content } = (await storedReferral(site.deps.db, id)) as never as {
      content: { patient: { family_name: string; given_name: string; telephone: string } };
    };
    const { family_name, given_name, telephone } = content.patient;
    for (const secret of [family_name, given_name, telephone, 'Mill Lane', 'lonely', '1947', id])
      expect(html).not.toContain(secret);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
    });
  });

  it('changes nothing when it is opened, as a mail scanner does', async () => {
    const { path, id } = await anOpenReferral();
    const before = [await storedReferral(site.deps.db, id), await toServiceOf(id)];
    for (const headers of [{}, { purpose: 'preview' }])
      expect((await holder.open(path, headers)).status).toBe(200);
    expect((await holder.open(path, { 'sec-purpose': 'prefetch' })).status).toBe(204);
    await site.app.inject({ method: 'HEAD', url: path });
    expect((await holder.send(path, {})).status).toBe(422);
    expect([await storedReferral(site.deps.db, id), await toServiceOf(id)]).toEqual(before);
  });

  it('is the same in each email to an address, stored as a hash', async () => {
    const { path, id } = await anOpenReferral();
    expect(await linkOf(id)).toBe(path);
    const links = await storedAnswerLinks(site.deps.db, id);
    expect(links).toHaveLength(1);
    const secret = path.split('/').at(-1)!;
    expect(JSON.stringify(links)).not.toContain(secret);
    await holder.send(path, accept);
    expect(site.logLines.join('\n')).not.toContain(secret);
    expect(site.logLines.join('\n')).toContain('/answer/:secret');
  });

  it('accepts once, with history, audit and news of who did it', async () => {
    const { path, id } = await anOpenReferral();
    expect((await holder.send(path, accept)).status).toBe(303);
    expect((await holder.send(path, { ...accept, name: 'Sam Second' })).status).toBe(303);
    const late = await holder.send(path, { ...decline, version: '1' });
    expect([late.status, late.text]).toEqual([422, expect.stringContaining('so it was not declined')]);
    expect(await statusOf(id)).toBe('accepted');
    const history = await site.app.inject({ url: `/api/referrals/${id}/history`, headers: referrer.headers });
    expect(history.json().items).toMatchObject([
      {},
      {
        to: 'accepted',
        by: { name: 'Rosa Reed, Duty manager, by link', organisation: place.organizationName },
      },
    ]);
    expect(await auditActors(site.deps.db, id, 'referral.accepted')).toMatchObject([
      { name: `Rosa Reed, Duty manager, by link sent to ${charity}`, address: '127.0.0.1' },
    ]);
    const [delivery] = await toServiceOf(id);
    expect(delivery!.status).toBe('acknowledged');
    expect((await storedReferral(site.deps.db, id)).seen_by_name).toMatch(/^Rosa Reed, Duty manager, /);
    const { text } = await holder.open(path);
    expect(text).toContain('Accepted');
    expect(text).not.toContain('Send answer');
  });

  it('says that it was accepted only to who accepted it', async () => {
    const { path } = await anOpenReferral();
    const first = await holder.send(path, accept);
    const second = await holder.send(path, { ...accept, name: 'Sam Second' });
    expect([first.headers.location, second.headers.location]).toEqual([`${path}?done=accepted`, path]);
    expect((await holder.open(`${path}?done=accepted`)).text).toContain('You accepted the referral');
  });

  it('declines with a reason, and then ends', async () => {
    const { path, id } = await anOpenReferral();
    for (const [wrong, words] of [
      [{ reason: '' }, 'Select why you decline'],
      [{ reason: 'died' }, 'Select why you decline'],
      [{ reason: 'other', explanation: ' ' }, 'Say what happened'],
      [{ name: '' }, 'Enter your name'],
      [{ role: 'x'.repeat(101) }, 'Enter your role'],
      [{ answer: 'complete' }, 'Select what you want to do'],
    ] as const) {
      const refused = await holder.send(path, { ...decline, ...wrong });
      expect([refused.status, refused.text.includes(words)]).toEqual([422, true]);
    }
    expect(await statusOf(id)).toBe('requested');
    expect((await holder.send(path, decline)).status).toBe(303);
    const read = await site.app.inject({ url: `/api/referrals/${id}`, headers: referrer.headers });
    expect(read.json()).toMatchObject({
      status: 'rejected',
      status_reason: { code: 'no-capacity', text: 'The group is full.' },
    });
    // A second click still says what happened, and says nothing of the referral.
    expect((await holder.send(path, decline)).text).toContain('You declined');
    site.clock.moveOn(11 * 60_000);
    expect((await holder.open(path)).status).toBe(404);
  });

  it('confirms, once by name, and still answers afterwards', async () => {
    const { path, id } = await anOpenReferral({ urgency: 'urgent' });
    expect((await holder.send(path, confirm)).status).toBe(303);
    expect((await toServiceOf(id)).map(({ status }) => status)).toEqual(['acknowledged']);
    const first = (await storedReferral(site.deps.db, id)).seen_by_name;
    expect(first).toMatch(/^Rosa Reed/);
    const { text } = await holder.open(path);
    expect(text).not.toContain('Only confirm');
    await holder.send(path, { ...confirm, name: 'Sam Second' });
    expect((await storedReferral(site.deps.db, id)).seen_by_name).toBe(first);
    await holder.send(path, accept);
    expect(await statusOf(id)).toBe('accepted');
  });

  it('answers only what its page showed', async () => {
    const { path, id } = await anOpenReferral();
    const corrected = await site.app.inject({
      method: 'PATCH',
      url: `/api/referrals/${id}`,
      payload: { urgency: 'urgent' },
      headers: { ...referrer.headers, 'if-match': '"1"' },
    });
    expect(corrected.statusCode, corrected.body).toBe(200);
    const stale = await holder.send(path, { ...accept, version: '1' });
    expect([stale.status, stale.text.includes('has changed since')]).toEqual([422, true]);
    expect(await statusOf(id)).toBe('requested');
    await holder.send(path, accept);
    expect(await statusOf(id)).toBe('accepted');
  });
});

describe('news since a referral was sent', () => {
  const tell = async (id: string, path: string, payload: object) => {
    site.clock.moveOn(1000);
    const url = `/api/referrals/${id}/${path}`;
    const told = await site.app.inject({ method: 'POST', url, payload, headers: referrer.headers });
    expect(told.statusCode, told.body).toBe(201);
  };
  const tick = async (path: string) =>
    (await holder.open(path)).page.querySelector('input[name=news_read]')?.getAttribute('value') ?? '';

  it('is in the letter to a service without an account', async () => {
    const { id } = await anOpenReferral();
    expect(await email(id)).not.toContain('Urgent news');
    await tell(id, 'things-have-changed', { text: 'He went into hospital last night.', urgency: 'urgent' });
    await tell(id, 'messages', { text: 'She has moved to her sister.' });
    const text = await email(id);
    // The referral has no number, so it is that of the referrer’s practice.
    expect(text).toContain(
      'There is urgent news since the referral was sent. Ring the referrer on 01632 960001.',
    );
    expect(text).not.toContain('hospital');
    const newest = (await toServiceOf(id)).at(-1)!.id;
    const letter = JSON.stringify(await capturedMessages(site.deps.db, newest));
    expect(letter).toContain('hospital last night');
    expect(letter).toMatch(/ring Rita Referrer, 01632.960001/);
  });

  it.each([
    ['things-have-changed', { text: 'He went into hospital last night.' }],
    ['messages', { text: 'She has moved to her sister.' }],
  ])('stops an answer until somebody ticks news by %s', async (how, payload) => {
    const { id, path } = await anOpenReferral();
    expect((await holder.open(path)).text).not.toContain('news');
    await tell(id, how, payload);
    const { text, html } = await holder.open(path);
    expect(text).toContain('There is news since this referral was sent');
    expect(text).toContain('Ring 01632 960001 now: Rita Referrer');
    for (const secret of ['hospital', 'moved to her']) expect(html).not.toContain(secret);
    for (const answer of [decline, accept]) {
      const refused = await holder.send(path, answer);
      expect([refused.status, refused.text.includes('then tick that you did')]).toEqual([422, true]);
    }
    expect(await statusOf(id)).toBe('requested');
    const earlier = await tick(path);
    await tell(id, 'messages', { text: 'Please ring me.' });
    expect((await holder.send(path, { ...decline, news_read: earlier })).status).toBe(422);
    expect((await holder.send(path, { ...decline, news_read: await tick(path) })).status).toBe(303);
    expect(await statusOf(id)).toBe('rejected');
  });

  /** Whether somebody will be reminded that the service has not read news. */
  const isWatched = async (id: string) => (await fingerprintOfUnread(site.deps.db, id)) !== undefined;

  it.each([
    ['accepts', accept],
    ['declines', decline],
    ['only confirms', confirm],
  ])('is recorded with its reader, and watched no more, if one %s', async (_, answer) => {
    const { id, path } = await anOpenReferral();
    await tell(id, 'things-have-changed', { text: 'He went into hospital last night.' });
    await tell(id, 'messages', { text: 'She has moved to her sister.' });
    await email(id);
    expect(await isWatched(id)).toBe(true);
    expect((await holder.send(path, { ...answer, news_read: await tick(path) })).status).toBe(303);
    expect(await isWatched(id)).toBe(false);
    const by = 'Rosa Reed, Duty manager, by link';
    const { headers } = referrer;
    const history = await site.app.inject({ url: `/api/referrals/${id}/history`, headers });
    const lines = history.json().items.filter(({ kind }: { kind: string }) => kind === 'news-read');
    expect(lines).toMatchObject([{ by: { name: by, organisation: place.organizationName } }]);
    expect(await auditActors(site.deps.db, id, 'referral.news_read')).toMatchObject([
      { name: `${by} sent to ${charity}`, address: '127.0.0.1' },
    ]);
    const changes = await site.app.inject({ url: `/api/referrals/${id}/things-have-changed`, headers });
    expect(changes.json().items).toMatchObject([{ confirmed: { by: { name: by } } }]);
    const person = await signedInBrowser(site, {
      role: 'referrer',
      organisation: { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' },
    });
    const { text } = await person.open(`/referrals/${id}`);
    expect(text).toContain('News from the referrer read');
    expect(text).not.toContain('Confirmed that they read what changed');
  });

  it('needs its tick after an acceptance too', async () => {
    const { id, path } = await anOpenReferral();
    await holder.send(path, accept);
    await tell(id, 'messages', { text: 'She has moved to her sister.' });
    expect((await holder.open(path)).text).toContain('Confirm that you read the news');
    expect((await holder.send(path, confirm)).status).toBe(422);
    expect(await isWatched(id)).toBe(true);
    expect((await holder.send(path, { ...confirm, news_read: await tick(path) })).status).toBe(303);
    expect(await isWatched(id)).toBe(false);
    expect((await holder.open(path)).text).not.toContain('There is news');
  });

  it('is not taken as read if it came after the page was opened', async () => {
    const { id, path } = await anOpenReferral();
    await tell(id, 'messages', { text: 'She has moved to her sister.' });
    const earlier = await tick(path);
    await tell(id, 'messages', { text: 'Please ring me.' });
    expect((await holder.send(path, { ...confirm, news_read: earlier })).status).toBe(422);
    expect(await isWatched(id)).toBe(true);
  });
});

describe('a link that no longer answers', () => {
  const watched = 'Her husband checks her phone.';
  const other = { code: 'other', text: 'Not needed any more.' };
  const ends: [string, (id: string) => Promise<unknown>][] = [
    ['the referral was withdrawn', (id) => asReferrer(id, '/withdraw-as-error', { status_reason: other })],
    ['it was cancelled', (id) => asReferrer(id, '/cancel', { status_reason: other })],
    ['it was completed', (id) => setReferralStatus(site.deps.db, id, 'completed')],
    ['it was restricted', (id) => asOperator(id, '/restrict')],
    ['it was erased', erase],
    ['the person was said to have died', (id) => asReferrer(id, '/died', { told_by: 'Her son' })],
    ['a safety note was added', (id) => asReferrer(id, '', { safety_notes: 'He reads her post.' }, 'PATCH')],
    ['a message tells of abuse at home', (id) => asReferrer(id, '/messages', { text: watched })],
    ['a message has words of a crisis', (id) => asReferrer(id, '/messages', { text: 'She wants to die.' })],
    ['what has changed tells of abuse', (id) => asReferrer(id, '/things-have-changed', { text: watched })],
    ['the service has another address', () => setAddress('other@example.org')],
    ['the service is no longer told by email', () => reachedBy(['inbox'])],
    ['the service switched it off', () => setting({ answer_by_link: false })],
    ['the service became sensitive', () => setting({ sensitive: true })],
    ['the service moved', () => moveTo('another', 'Another trust')],
  ];
  const asReferrer = (id: string, path: string, payload: object, method: 'POST' | 'PATCH' = 'POST') =>
    done({
      method,
      url: `/api/referrals/${id}${path}`,
      payload,
      headers: { ...referrer.headers, 'if-match': '"1"' },
    });
  const asOperator = (id: string, path: string, more: object = {}) =>
    done({
      method: 'POST',
      url: `/api/referrals/${id}${path}`,
      payload: { reason: 'Asked for by letter; ticket 311.', ...more },
      headers: operator.headers,
    });
  async function done(call: { method: 'POST' | 'PATCH'; url: string; payload: object; headers: object }) {
    const answer = await site.app.inject(call as never);
    expect(answer.statusCode, answer.body).toBeLessThan(300);
  }
  async function erase(id: string) {
    await setReferralStatus(site.deps.db, id, 'completed');
    const told = { who_was_told: 'The duty manager', when: site.clock.now().toISOString() };
    await asOperator(id, '/erase', { ground: 'not-needed', told });
  }
  const setting = (settings: { answer_by_link?: boolean; sensitive?: boolean }) =>
    setPrivacy(site.deps.db, place.serviceId, settings);
  const moveTo = (organizationId: string, organizationName: string) =>
    aService(site.deps, { ...place, organizationId, organizationName });

  it.each(ends)('says so and nothing else when %s', async (_why, end) => {
    const { path, id, reference } = await anOpenReferral();
    const guessed = await holder.open(`/answer/${'A'.repeat(43)}`);
    await end(id);
    const status = await statusOf(id);
    try {
      for (const answer of [accept, decline, confirm]) {
        const refused = await holder.send(path, answer);
        expect(refused.status).toBe(404);
        expect(refused.text).toBe(guessed.text);
      }
      const { text, html, headers } = await holder.open(path);
      expect(text).toBe(guessed.text);
      expect(text).toContain('no longer works');
      expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
      for (const telling of [reference, place.serviceName, place.organizationName, 'Example'])
        expect(html).not.toContain(telling);
      expect(await statusOf(id)).toBe(status);
    } finally {
      await moveTo(place.organizationId, place.organizationName);
      await reachedBy(['email']);
      await setAddress(charity);
      await setting({ answer_by_link: true, sensitive: false });
    }
  });

  it.each([
    '',
    'x',
    'A'.repeat(42),
    'A'.repeat(43),
    'A'.repeat(200),
    '%E2%82%AC',
    '..%2F',
    '%00',
  ])('looks the same for the guess “%s”', async (guess) => {
    const { status, text } = await holder.open(`/answer/${guess}`);
    expect(status).toBe(404);
    if (guess !== '') expect(text).toContain('no longer works');
  });

  it('slows down somebody who guesses', async () => {
    const strict = await makeApp({ env: { ONWARD_CALLS_PER_MINUTE_OF_NETWORK: '20' } });
    try {
      const guesser = linkHolder(strict);
      const codes: number[] = [];
      for (let count = 0; count < 21; count += 1)
        codes.push((await guesser.open(`/answer/${'B'.repeat(43)}`)).status);
      expect([...new Set(codes)]).toEqual([404, 429]);
    } finally {
      await strict.close();
    }
  });
});

describe('an email about a referral', () => {
  it.each([
    ['a safety note', { safety_notes: 'Her husband reads her post.' }],
    ['a person whom it is not safe to contact', { contact: { safe: 'no' } }],
    ['a person who is safe only at times', { contact: { safe: 'only_at', only_at: 'mornings' } }],
    ['somebody who must not know', { contact: { safe: 'yes', who_must_not_know: 'her son' } }],
    ['abuse by a partner', { needs: ['intimate-partner-violence'] }],
    ['abuse of an older person', { needs: ['elder-abuse'] }],
    ['words of abuse at home', { what_matters: 'Her partner checks her phone.' }],
    ['words of a crisis', { what_matters: 'She says that she wants to die.' }],
    [
      'a risk',
      { risk: 'yes', risk_acted_on: { who_was_told: 'The duty team', when: '2026-10-26T10:00:00Z' } },
    ],
  ])('says that an account is needed where there is %s', async (_what, given) => {
    const { id } = await refer(given);
    const text = await email(id);
    expect(text).not.toContain('/answer/');
    expect(text).toContain('cannot be answered by a link');
    expect(text).toContain('/confirm/');
  });

  it('has the link where the risk was not asked', async () => {
    for (const given of [{}, { risk: 'could_not_ask' }])
      expect(await email((await refer(given)).id)).toContain('/answer/');
  });

  it('asks a service without an account to ring if no link answers', async () => {
    const ring = /Ring .+ before you do anything: this referral cannot be answered without an account/;
    const dangerous = await refer({ safety_notes: 'Her husband reads her post.' });
    expect(await email(dangerous.id)).toMatch(ring);
    expect(await email(dangerous.id)).toContain('For an account, ask');
    expect(await email(dangerous.id)).not.toContain('husband');
    expect(await email((await refer()).id)).not.toMatch(ring);
  });
});

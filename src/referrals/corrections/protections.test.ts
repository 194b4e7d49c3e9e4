import { describe, expect, it } from 'vitest';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { referralPagesFixture } from '../../../test/referrals/pages-fixture.ts';
import { protectionsRemoved } from './protections.ts';

const { call, get, makeReferral, provider, referrer } = await referralLifeFixture();
const pages = await referralPagesFixture();

const unsafe = { safe: 'no', voicemail: false, who_must_not_know: 'her husband' };
const reason = 'She has left him, and says that we may ring.';

const correct = (who: typeof referrer, id: string, body: object, version = 1) =>
  call(who, 'PATCH', `/${id}`, { body, version });

describe('a correction of safe contact', () => {
  it('leaves what it does not name', async () => {
    const { id } = await makeReferral({ contact: unsafe });
    const { status, body } = await correct(referrer, id, { contact: { channel: 'telephone' }, reason });
    expect([status, body.contact]).toEqual([200, { ...unsafe, channel: 'telephone' }]);
  });

  it('leaves what it does not name where nobody had asked', async () => {
    const { id } = await makeReferral();
    const { body } = await correct(provider, id, { contact: { voicemail: false } });
    expect(body.contact).toEqual({ safe: 'not_asked', voicemail: false });
  });

  it.each([
    [{ safe: 'yes', channel: 'email', voicemail: true }, { safe: 'no' }, { safe: 'no' }],
    [{ safe: 'only_at', only_at: 'mornings' }, { safe: 'no' }, { safe: 'no' }],
    [{ safe: 'yes', voicemail: false }, { safe: 'no' }, { safe: 'no', voicemail: false }],
    [
      { safe: 'yes', channel: 'letter' },
      { safe: 'only_at', only_at: 'here' },
      { safe: 'only_at', channel: 'letter', only_at: 'here' },
    ],
  ])('makes %j with %j safer in one word', async (contact, correction, after) => {
    const { id } = await makeReferral({ contact });
    const { status, body } = await correct(provider, id, { contact: correction });
    expect([status, body.contact]).toEqual([200, after]);
  });

  it('is refused where it contradicts what is stored', async () => {
    const { id } = await makeReferral({ contact: unsafe });
    const { status, body } = await correct(referrer, id, { contact: { voicemail: true }, reason });
    expect([status, body.errors[0].pointer]).toEqual([422, '/contact/safe']);
  });
});

describe('what protects the person', () => {
  const contentBefore = { contact: unsafe, do_not_show_online: true, safety_notes: 'A dog. He has a key.' };

  it.each([
    [{ contact: { safe: 'yes' } }, 'that it is not safe to contact the person'],
    [{ contact: { voicemail: null } }, 'that no voicemail may be left'],
    [{ contact: { who_must_not_know: 'her sister' } }, 'who must not know of the referral'],
    [{ do_not_show_online: false }, 'that it is not to be shown online'],
    [{ contact: { channel: 'letter' } }, 'in which way it is safe'],
    [{ safety_notes: null }, 'the safety note, or words of it'],
    [{ safety_notes: 'A dog.' }, 'the safety note, or words of it'],
  ])('is taken away by %j only with a reason', async (correction, taken) => {
    const { id } = await makeReferral(contentBefore);
    const refused = await correct(referrer, id, correction);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [
        {
          pointer: '/reason',
          message: `is required, because the correction takes away ${taken}`,
        },
      ],
    ]);
    const empty = await correct(referrer, id, { ...correction, reason: 'asdf asdfgh' });
    expect([empty.status, empty.body.errors[0].pointer]).toEqual([422, '/reason']);
    expect((await correct(referrer, id, { ...correction, reason })).status).toBe(200);
    const { items } = (await get(provider, `/${id}/history`)).body;
    expect(items.at(-1).changes).toContainEqual({ field: 'reason', from: null, to: reason });
  });

  it.each([
    [{ only_at: 'any time' }, 'at which times or places it is safe'],
    [{ only_at: 'Tuesday 10-11 only, or whenever you like' }, 'at which times or places it is safe'],
    [{ channel: 'letter' }, 'in which way it is safe'],
    [{ voicemail: true }, 'that no voicemail may be left'],
  ])('is not widened by the service with %j, unless it says why', async (contact, taken) => {
    const times = { safe: 'only_at', only_at: 'Tuesday 10-11 only', channel: 'telephone' };
    const { id } = await makeReferral({ contact: { ...times, who_must_not_know: 'husband' } });
    const refused = await correct(provider, id, { contact });
    const message = `is required, because the correction takes away ${taken}`;
    expect([refused.status, refused.body.errors]).toEqual([422, [{ pointer: '/reason', message }]]);
    expect((await correct(provider, id, { contact, reason })).status).toBe(200);
  });

  it('is not widened without a reason if somebody must not know', async () => {
    const { id } = await makeReferral({ contact: { safe: 'yes', who_must_not_know: 'husband' } });
    expect((await correct(provider, id, { contact: { voicemail: true } })).status).toBe(422);
    expect((await correct(provider, id, { contact: { channel: 'letter' } })).status).toBe(422);
  });

  it('is taken away by the service with a reason for the referrer', async () => {
    const { id } = await makeReferral({ contact: unsafe });
    expect((await correct(provider, id, { contact: { safe: 'yes' } })).status).toBe(422);
    expect((await correct(provider, id, { contact: { safe: 'yes' }, reason })).status).toBe(200);
    const { items } = (await get(referrer, `/${id}/history`)).body;
    expect(JSON.stringify(items.at(-1).changes)).toContain(reason);
  });

  it.each([
    [{ contact: unsafe }, { contact: { ...unsafe, who_must_not_know: 'Her husband, and his brother.' } }],
    [{ safety_notes: 'A dog.' }, { safety_notes: 'A dog. And ring twice.' }],
    [{ contact: { safe: 'yes' } }, { contact: unsafe }],
    [{ contact: { safe: 'not_asked' } }, { contact: { safe: 'yes' } }],
    [{ contact: { safe: 'no', channel: 'telephone' } }, { contact: { safe: 'no' } }],
    [
      { contact: { safe: 'only_at', only_at: 'Mornings.' } },
      { contact: { safe: 'only_at', only_at: 'mornings', channel: 'telephone', voicemail: false } },
    ],
    [
      { contact: { safe: 'yes', channel: 'letter' } },
      { contact: { safe: 'yes', channel: 'text', voicemail: true } },
    ],
    [{}, { contact: unsafe, do_not_show_online: true, safety_notes: 'A dog.' }],
  ])('may be added to without one: %j, then %j', (before, after) => {
    expect(protectionsRemoved(before as never, after as never)).toEqual([]);
  });

  it.each([
    ['son', 'nobody in person'],
    ['Ann', 'Annette'],
    ['Her husband', 'No longer her husband, he may know.'],
  ])('is lost where “%s” becomes “%s”', (before, after) => {
    const contact = (who_must_not_know: string) => ({ contact: { ...unsafe, who_must_not_know } as never });
    expect(protectionsRemoved(contact(before), contact(after))).toEqual([
      'who must not know of the referral',
    ]);
    expect(protectionsRemoved({ safety_notes: before }, { safety_notes: after })).toEqual([
      'the safety note, or words of it',
    ]);
  });

  it.each([
    [{ contact: { safe: 'no', channel: 'telephone' } }, { contact: { safe: 'no', channel: 'letter' } }],
    [{ contact: { safe: 'yes', channel: 'letter' } }, { contact: { safe: 'yes' } }],
  ])('is also the way in which it is safe: %j, then %j', (before, after) => {
    expect(protectionsRemoved(before as never, after as never)).toEqual(['in which way it is safe']);
  });
});

describe('the page of a correction that protects the person less', () => {
  it('asks why, and both sides read it', async () => {
    const url = await pages.aReferralPage({ contact_safe: 'no', contact_secret: 'her husband' });
    const form = await pages.filledCorrection(pages.referrer, url);
    expect(form).not.toHaveProperty('correction_reason');
    const asked = await pages.referrer.send(`${url}/correct`, { ...form, contact_secret: '' });
    const link = asked.page.querySelector('.nhsuk-error-summary a');
    expect([asked.status, link?.getAttribute('href'), link?.text.trim()]).toEqual([
      422,
      '#correction_reason',
      'The reason is required, because the correction takes away who must not know of the referral',
    ]);
    const typed = { ...form, contact_secret: '', correction_reason: reason };
    const { location } = await pages.referrer.send(`${url}/correct`, typed);
    expect((await pages.referrer.open(location)).text).toContain('The corrections were saved');
    expect((await pages.provider.open(url)).text).toContain(`Why: ${reason}`);
  });

  it('asks why where the service widens the times', async () => {
    const url = await pages.aReferralPage({ contact_safe: 'only_at', contact_only_at: 'Tuesday 10-11 only' });
    const form = {
      ...(await pages.filledCorrection(pages.provider, url)),
      contact_only_at: 'whenever you like',
    };
    const asked = await pages.provider.send(`${url}/correct`, form);
    expect(asked.status).toBe(422);
    expect(asked.page.querySelector('#correction_reason')).not.toBeNull();
    const { location } = await pages.provider.send(`${url}/correct`, { ...form, correction_reason: reason });
    expect((await pages.provider.open(location)).text).toContain('The corrections were saved');
  });

  it('asks nothing where the person is protected as before', async () => {
    const url = await pages.aReferralPage({ contact_safe: 'no', contact_secret: 'her husband' });
    const form = await pages.filledCorrection(pages.provider, url);
    const { status } = await pages.provider.send(`${url}/correct`, { ...form, telephone: '01632 960987' });
    expect(status).toBe(303);
  });
});

describe('that a referral is urgent', () => {
  const routine = { urgency: 'routine' };

  it('is taken away only with a reason', async () => {
    const { id } = await makeReferral({ urgency: 'urgent' });
    const refused = await correct(referrer, id, routine);
    const message = 'is required, because the correction takes away that it is urgent';
    expect([refused.status, refused.body.errors]).toEqual([422, [{ pointer: '/reason', message }]]);
    const { status, body } = await correct(referrer, id, {
      ...routine,
      reason: 'The crisis team has seen her.',
    });
    expect([status, body.urgency]).toEqual([200, 'routine']);
  });

  it('stays until somebody confirmed what changed for the person', async () => {
    const { id } = await makeReferral({ urgency: 'urgent' });
    const text = 'She has stopped eating and talks of dying.';
    const news = (await call(provider, 'POST', `/${id}/things-have-changed`, { body: { text } })).body;
    const lower = { ...routine, reason: 'Her sister came to stay with her.' };
    const version = async () => (await get(referrer, `/${id}`)).body.version;
    const refused = await correct(referrer, id, lower, await version());
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/urgency']);
    await call(referrer, 'POST', `/${id}/things-have-changed/${news.id}/confirm`, {});
    expect((await correct(referrer, id, lower, await version())).status).toBe(200);
  });
});

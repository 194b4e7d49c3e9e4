import { describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';

const { site, referrer, provider, call, get, post, makeReferral, reason } = await referralLifeFixture();

describe('the two sides of a referral', () => {
  it('get one winner and one 412 if they answer at once', async () => {
    const { id } = await makeReferral();
    const answers = await Promise.all([
      post(provider, `/${id}/accept`, {}, 1),
      post(provider, `/${id}/reject`, reason, 1),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('take only their own actions, from the right statuses', async () => {
    const { id } = await makeReferral();
    const outcome = { code: 'goals-met', text: 'Well done.' };
    expect((await post(provider, `/${id}/complete`, { outcome }, 1)).body.type).toContain('wrong-state');
    expect((await post(referrer, `/${id}/accept`, {}, 1)).status).toBe(403);
    const otherProvider = await aTokenHolder(site.deps, { role: 'provider' });
    expect((await post(otherProvider, `/${id}/accept`, {}, 1)).status).toBe(404);
    const unexplained = await post(provider, `/${id}/reject`, {}, 1);
    expect(unexplained.body.errors[0].pointer).toBe('/status_reason');
    expect((await post(provider, `/${id}/accept`, {}, 1)).status).toBe(200);
    expect((await post(provider, `/${id}/reject`, reason, 2)).body.type).toContain('wrong-state');
    expect((await post(provider, `/${id}/complete`, { outcome }, 2)).body.status).toBe('completed');
  });
});

describe('the status of a referral', () => {
  it('waits, is supported, and has measures within their ranges', async () => {
    const { id } = await makeReferral();
    await post(provider, `/${id}/accept`, {}, 1);
    const held = await post(provider, `/${id}/hold`, { ...reason, expected_date: '2027-04-05' }, 2);
    expect(held.body).toMatchObject({ status: 'on-hold', expected_date: '2027-04-05', ...reason });
    const started = await post(provider, `/${id}/start`, {}, 3);
    expect(started.body).toMatchObject({ status: 'in-progress', expected_date: null, status_reason: null });
    const outcome = (measures: object[]) => ({ outcome: { code: 'goals-met', text: 'Well.', measures } });
    const measure = (code: string, value: number, stage = 'end') => ({ code, stage, value });
    const wrong = [
      measure('pam-level', 5),
      measure('swemwbs', 6),
      measure('ons4-anxiety', 2.5),
      measure('ons4-happiness', 3),
      measure('ons4-happiness', 3),
    ];
    const refused = await post(provider, `/${id}/complete`, outcome(wrong), 4);
    expect([refused.status, refused.body.errors.map((each: { pointer: string }) => each.pointer)]).toEqual([
      422,
      [0, 1, 2].map((place) => `/outcome/measures/${place}/value`).concat('/outcome/measures/4/code'),
    ]);
    const measures = [measure('swemwbs', 21.54, 'start'), measure('swemwbs', 28), measure('pam-level', 3)];
    const done = await post(provider, `/${id}/complete`, outcome(measures), 4);
    expect(done.body.outcome.measures).toEqual(measures);
  });

  it('can get another reason and a later date on the waiting list', async () => {
    const { id } = await makeReferral();
    await post(provider, `/${id}/accept`, {}, 1);
    const day = (ahead: number) =>
      new Date(site.clock.now().getTime() + ahead * 86_400_000).toISOString().slice(0, 10);
    const hold = (expected_date: string, version: number) =>
      post(provider, `/${id}/hold`, { ...reason, expected_date }, version);
    const over = await hold(day(-1), 2);
    expect([over.status, over.body.errors]).toEqual([
      422,
      [{ pointer: '/expected_date', message: 'must not be in the past' }],
    ]);
    expect((await hold('2036-01-01', 2)).body.errors).toEqual([
      { pointer: '/expected_date', message: 'must be within a year' },
    ]);
    expect((await hold(day(0), 2)).body).toMatchObject({ status: 'on-hold', expected_date: day(0) });
    const later = { status_reason: { code: 'missing-information', text: 'We need her doctor’s word.' } };
    expect((await post(provider, `/${id}/hold`, later, 3)).status).toBe(409);
    const changed = await post(provider, `/${id}/change-wait`, later, 3);
    expect(changed.body).toMatchObject({ status: 'on-hold', expected_date: null, version: 4, ...later });
    expect((await post(referrer, `/${id}/change-wait`, later, 4)).status).toBe(403);
    const { items } = (await get(referrer, `/${id}/history`)).body;
    expect(items.at(-1)).toMatchObject({ from: 'on-hold', to: 'on-hold', reason: later.status_reason });
  });

  it('is changed only in the version that was read', async () => {
    const { id } = await makeReferral();
    const accept = (etag: string) =>
      call(provider, 'POST', `/${id}/accept`, { body: {}, headers: { 'if-match': etag } });
    for (const stale of ['"0"', '"2"', '"abc"', '""', 'W/"7"'])
      expect((await accept(stale)).status).toBe(412);
    for (const none of ['', '*', 'abc', '"1", "2"']) expect((await accept(none)).status).toBe(400);
    // As a proxy that compresses answers passes it on.
    expect((await accept('W/"1"')).status).toBe(200);
  });
});

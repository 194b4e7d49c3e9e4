import { describe, expect, it } from 'vitest';
import { type Holder, referralLifeFixture } from '../../../test/referrals/life-fixture.ts';

// The life of a referral by the API: drafts, waiting lists, pages of lists, and when an answer is due.

const {
  site,
  place,
  referrer,
  colleague,
  provider,
  operator,
  stranger,
  call,
  get,
  post,
  later,
  aPerson,
  makeReferral,
  reason,
  deliveriesOf,
} = await referralLifeFixture();

describe('a draft', () => {
  it('is seen and changed by colleagues alone, until it is sent', async () => {
    const { status, body: draft } = await post(referrer, '', {
      status: 'draft',
      patient: { given_name: 'Ada' },
    });
    expect([status, draft.status, draft.service_id, draft.requested_at]).toEqual([201, 'draft', null, null]);
    expect(draft.patient).toEqual({ given_name: 'Ada' });
    const known = { ...aPerson(), gp_practice: { ods_code: 'Z99001' }, urgency: 'urgent' };
    const { consent, ...withoutConsent } = known;
    const changed = await call(colleague, 'PUT', `/${draft.id}`, { body: withoutConsent, version: 1 });
    expect([changed.status, changed.body.version, changed.body.urgency]).toEqual([200, 2, 'urgent']);
    for (const who of [provider, operator, stranger]) {
      for (const path of ['', '/history', '/messages', '/attachments', '/openings', '/deliveries'])
        expect((await get(who, `/${draft.id}${path}`)).status, path).toBe(404);
      expect((await post(who, `/${draft.id}/withdraw-as-error`, {}, 2)).status).toBe(404);
      const listed = await get(who, '?limit=200');
      expect(JSON.stringify(listed.body)).not.toContain(draft.id);
    }
    expect((await post(operator, `/${draft.id}/open`, { reason: 'Out of curiosity.' })).status).toBe(404);
    expect(await deliveriesOf(draft.id)).toEqual([]);

    const lost = await call(referrer, 'PUT', `/${draft.id}`, { version: 2 });
    expect([lost.status, lost.body.detail]).toEqual([400, expect.stringContaining('body is missing')]);
    const early = await post(referrer, `/${draft.id}/request`, {}, 2);
    expect([early.status, early.body.errors[0].pointer]).toEqual([422, '/consent']);
    await call(referrer, 'PUT', `/${draft.id}`, { body: { ...withoutConsent, consent }, version: 2 });
    const sent = await post(referrer, `/${draft.id}/request`, {}, 3);
    expect([sent.status, sent.body.status, sent.body.version]).toEqual([200, 'requested', 4]);
    expect(sent.body.due_at).toBe('2026-11-24T17:00:00.000Z');
    expect((await deliveriesOf(draft.id)).length).toBe(2);
    expect((await get(provider, `/${draft.id}`)).status).toBe(200);
    expect((await call(referrer, 'PUT', `/${draft.id}`, { body: {}, version: 4 })).status).toBe(409);
    const history = (await get(provider, `/${draft.id}/history`)).body.items;
    expect(history.map(({ from, to }: any) => [from, to])).toEqual([
      [null, 'draft'],
      ['draft', 'requested'],
    ]);
  });

  it('is told to nobody if it is deleted', async () => {
    const { body: draft } = await post(referrer, '', { ...aPerson(), status: 'draft' });
    expect((await post(referrer, `/${draft.id}/withdraw-as-error`, {}, 1)).body.status).toBe(
      'entered-in-error',
    );
    for (const who of [provider, operator]) expect((await get(who, `/${draft.id}`)).status).toBe(404);
    expect(await deliveriesOf(draft.id)).toEqual([]);
    expect((await post(referrer, `/${draft.id}/request`, {}, 2)).status).toBe(409);
  });

  it('needs the right form, and names only what exists', async () => {
    const wrong = await post(referrer, '', {
      status: 'draft',
      patient: { birth_date: 'soon' },
      colour: 'red',
    });
    expect(wrong.body.errors.map((each: any) => each.pointer).sort()).toEqual([
      '/colour',
      '/patient/birth_date',
    ]);
    const unknown = { status: 'draft', service_id: 'nowhere', gp_practice: { ods_code: 'X00000' } };
    const { status, body } = await post(referrer, '', unknown);
    expect([status, body.errors.map((each: any) => each.pointer)]).toEqual([
      422,
      ['/service_id', '/gp_practice/ods_code'],
    ]);
    const known = { ...aPerson(), status: 'draft' };
    expect((await post(referrer, '', known)).body.status).toBe('draft');
    expect((await post(referrer, '', known)).body.status).toBe('draft');
  });
});

describe('a referral', () => {
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
    expect([refused.status, refused.body.errors.map((each: any) => each.pointer)]).toEqual([
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

  it('has pages of its parts, and each part at its Location', async () => {
    const recorded_at = '2026-11-20T10:00:00+01:00';
    const { id, consent } = await makeReferral({
      consent: { referral: true, share_with_gp: true, recorded_at },
    });
    expect(consent.recorded_at).toBe('2026-11-20T09:00:00.000Z');
    await post(provider, `/${id}/accept`, {}, 1);
    await post(provider, `/${id}/messages`, { text: 'First.' });
    const { answer, body } = await post(referrer, `/${id}/messages`, { text: 'Second.' });
    const [, path] = String(answer.headers.location).split('/api/referrals');
    expect((await get(provider, path!)).body).toEqual(body);
    expect([(await get(stranger, path!)).status, (await get(operator, path!)).status]).toEqual([404, 403]);
    for (const list of ['history', 'deliveries', 'messages']) {
      const whole = (await get(referrer, `/${id}/${list}`)).body;
      const first = (await get(referrer, `/${id}/${list}?limit=1`)).body;
      const next = (await get(referrer, `/${id}/${list}?limit=1&cursor=${first.next_cursor}`)).body;
      expect([...first.items, ...next.items]).toEqual(whole.items);
      expect([whole.items.length, next.next_cursor]).toEqual([2, null]);
      expect((await get(referrer, `/${id}/${list}?cursor=x`)).status).toBe(400);
    }
    expect((await get(stranger, `/${id}`)).body.detail).toContain('not yours');
  });

  it('is due by its urgency, and found when it is overdue', async () => {
    const { id, due_at, overdue } = await makeReferral();
    expect([due_at, overdue]).toEqual(['2026-12-04T17:00:00.000Z', false]);
    const answered = await makeReferral();
    await post(provider, `/${answered.id}/accept`, {}, 1);
    const overdueIds = async (who: Holder, query = '') =>
      (await get(who, `?overdue=true&limit=200${query}`)).body.items.map((each: any) => each.id);
    expect(await overdueIds(provider)).not.toContain(id);
    // The answer was due on Friday evening, and the day of the first contact is not over yet.
    await later(13.5 * 86_400_000);
    for (const who of [referrer, provider, operator]) {
      expect(await overdueIds(who)).toContain(id);
      expect(await overdueIds(who)).not.toContain(answered.id);
    }
    expect(await overdueIds(provider, '&status=accepted')).toEqual([]);
    await later(86_400_000);
    for (const who of [referrer, provider, operator])
      expect(await overdueIds(who)).toEqual(expect.arrayContaining([id, answered.id]));
    expect(await overdueIds(provider, '&status=accepted')).toContain(answered.id);
    expect((await get(provider, `/${id}`)).body.overdue).toBe(true);
    const several = await get(
      provider,
      `?status=accepted&status=requested&service=${place.serviceId}&limit=200`,
    );
    const statuses = new Set(several.body.items.map((each: any) => each.status));
    expect([...statuses].sort()).toEqual(['accepted', 'requested']);
  });
});

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aReferral, aTokenHolder } from '../../../test/app/builders.ts';
import { makeReferralFixture } from '../../../test/people/referral-fixture.ts';
import { startAttempt } from '../model/attempts-store.ts';
import { listDeliveriesOf } from '../model/store.ts';
import { deliver } from './deliver.ts';

const { completeAll, act, place, provider, referrer, site, submit } = await makeReferralFixture();
afterAll(() => site.close());
beforeEach(() => completeAll());

type Person = typeof referrer;

async function made(given = {}): Promise<string> {
  const gp_practice = { ods_code: 'Z99001' };
  const answer = await submit({ ...aReferral(place.serviceId), gp_practice, ...given });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().id;
}

async function call(
  who: Person,
  method: 'GET' | 'PATCH' | 'POST',
  path: string,
  payload?: object,
  version?: number,
) {
  const headers = { ...who.headers, ...(version && { 'if-match': `"${version}"` }) };
  const answer = await site.app.inject({
    method,
    url: `/api/referrals/${path}`,
    headers,
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, etag: answer.headers.etag, body: answer.json() };
}
const correct = (who: Person, id: string, payload: object, version = 1) =>
  call(who, 'PATCH', id, payload, version);
const read = async (who: Person, path: string) => (await call(who, 'GET', path)).body;

/** Sends what waits, as the worker does within a second. */
async function deliverAll(id: string): Promise<void> {
  const { rows } = await site.database.pool.query(
    `select id from deliveries where referral_id = $1 and status = 'queued'`,
    [id],
  );
  for (const row of rows) await deliver(site.deps, { delivery_id: row.id });
}

async function deliveriesOf(id: string): Promise<string[]> {
  const { items } = await read(referrer, `${id}/deliveries`);
  return items.map(
    (each: any) => `${each.leg} ${each.purpose} ${each.status}${each.superseded ? ' superseded' : ''}`,
  );
}

describe('a correction', () => {
  it('changes what was sent, and the history keeps both values', async () => {
    const id = await made({ safety_notes: 'A dog.' });
    const { status, etag, body } = await correct(referrer, id, {
      patient: { telephone: '01632 960987', email: null },
      safety_notes: null,
      reason: 'The dog has died.',
      urgency: 'urgent',
    });
    expect([status, body.version, body.urgency]).toEqual([200, 2, 'urgent']);
    expect(etag).toMatch(/^"2-/);
    expect(body.patient).toMatchObject({ telephone: '01632 960987', given_name: 'Margaret' });
    expect(body).not.toHaveProperty('safety_notes');
    const { items } = await read(provider, `${id}/history`);
    expect(items.at(-1)).toMatchObject({
      kind: 'correction',
      from: 'requested',
      to: 'requested',
      reason: null,
    });
    const { telephone } = aReferral('').patient as { telephone?: string };
    expect(items.at(-1).changes).toContainEqual({
      field: 'patient.telephone',
      from: telephone ?? null,
      to: '01632 960987',
    });
    expect(items.at(-1).changes).toContainEqual({ field: 'safety_notes', from: 'A dog.', to: null });
    expect(items[0]).toMatchObject({ kind: 'status', changes: null });
  });

  it('is told to the service and the practice, and marks the earlier letters', async () => {
    const id = await made();
    await deliverAll(id);
    await correct(referrer, id, { patient: { telephone: '01632 960987' } });
    await deliverAll(id);
    expect(await deliveriesOf(id)).toEqual([
      'service referral received superseded',
      'gp_practice referral sent superseded',
      'service referral received',
      'gp_practice referral sent',
    ]);
    const events = await site.app.inject({ url: '/api/events?limit=500', headers: provider.headers });
    expect(events.json().items.map(({ type }: { type: string }) => type)).toContain('referral.corrected');
  });

  it.each([
    [{ do_not_show_online: true }],
    [{ contact: { safe: 'no', who_must_not_know: 'her husband' } }],
  ])('is told to the practice that has a copy: %j', async (correction) => {
    const id = await made();
    await deliverAll(id);
    await correct(referrer, id, correction);
    expect((await deliveriesOf(id)).slice(2)).toEqual([
      'service referral queued',
      'gp_practice referral queued',
    ]);
  });

  it('is told to the service alone if practices do not get the field', async () => {
    const id = await made();
    await deliverAll(id);
    await correct(referrer, id, { safety_notes: 'Ring twice.' });
    expect((await deliveriesOf(id)).slice(2)).toEqual(['service referral queued']);
  });

  it('changes nothing if all values are as before', async () => {
    const id = await made();
    expect((await correct(referrer, id, { urgency: 'routine' })).body.version).toBe(1);
    expect((await read(referrer, `${id}/history`)).items).toHaveLength(1);
  });

  it('lets one side win if both come at once; the other gets 412', async () => {
    const id = await made();
    const answers = await Promise.all([
      correct(referrer, id, { patient: { telephone: '01632 960001' } }),
      correct(provider, id, { patient: { telephone: '01632 960002' } }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('is limited to contact details if the service makes it', async () => {
    const id = await made();
    const { status, body } = await correct(provider, id, { urgency: 'urgent' });
    expect([status, body.errors[0].pointer]).toEqual([403, '/urgency']);
    expect((await correct(provider, id, { patient: { preferred_contact: 'letter' } })).status).toBe(200);
  });

  it.each([
    [{ patient: { family_name: 'Smith' } }, 400, '/patient/family_name'],
    [{ patient: { nhs_number: '9990000026' } }, 400, '/patient/nhs_number'],
    [{ patient: { address: null } }, 400, '/patient/address'],
    [{ reasons: [] }, 400, '/reasons'],
    [{}, 400, ''],
    [{ gp_practice: { ods_code: 'X00000' } }, 422, '/gp_practice/ods_code'],
  ])('%j is refused with its place', async (payload, status, pointer) => {
    const id = await made();
    const answer = await correct(referrer, id, payload);
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([status, pointer]);
    expect((await read(referrer, id)).version).toBe(1);
  });

  it('needs an open referral, its version, and somebody on a side of it', async () => {
    const id = await made();
    expect((await call(referrer, 'PATCH', id, { urgency: 'urgent' })).status).toBe(428);
    expect((await correct(await aTokenHolder(site.deps), id, { urgency: 'urgent' })).status).toBe(404);
    await act(id, 'reject', { status_reason: { code: 'other', text: 'No.' } });
    const { status, body } = await correct(referrer, id, { urgency: 'urgent' }, 2);
    expect([status, body.type.split('/').at(-1)]).toEqual([409, 'wrong-state']);
  });
});

describe('an agreement that changed', () => {
  const change = (who: Person, id: string, payload: object = {}) =>
    call(who, 'POST', `${id}/agreement-changed`, payload);

  it('stops the copy that waits, and all that come later', async () => {
    const id = await made();
    const { status, body } = await change(provider, id);
    expect([status, body.consent.share_with_gp, body.already_told]).toEqual([200, false, []]);
    await deliverAll(id);
    await act(id, 'reject', { status_reason: { code: 'no-capacity', text: 'Full.' } }, 2);
    await deliverAll(id);
    expect(await deliveriesOf(id)).toEqual([
      'service referral acknowledged',
      'gp_practice referral suppressed',
      'gp_practice outcome suppressed',
    ]);
  });

  it('says that a letter was being sent, and sends it once', async () => {
    const id = await made();
    const copy = (await listDeliveriesOf(site.deps.db, id)).find(({ leg }) => leg === 'gp_practice')!;
    let whileSending: any;
    const slow: typeof site.deps = {
      ...site.deps,
      channels: {
        ...site.deps.channels,
        capturing: (channel) => ({
          ...site.deps.channels.capturing(channel),
          send: async () => {
            whileSending = (await change(provider, id, { share_with_gp: false })).body;
            throw new Error('It broke off.');
          },
        }),
      },
    };
    await deliver(slow, { delivery_id: copy.id });
    expect(whileSending.already_told).toMatchObject([{ leg: 'gp_practice', status: 'sending' }]);
    await deliverAll(id);
    await deliver(site.deps, { delivery_id: copy.id });
    expect(await deliveriesOf(id)).toEqual(['service referral received', 'gp_practice referral suppressed']);
  });

  it('sends no letter again that a process sent as it died', async () => {
    const id = await made();
    const copy = (await listDeliveriesOf(site.deps.db, id)).find(({ leg }) => leg === 'gp_practice')!;
    await startAttempt(site.deps.db, copy.id, 'document', null, site.clock.now());
    await change(provider, id, { share_with_gp: false });
    await deliver(site.deps, { delivery_id: copy.id });
    const stored = (await listDeliveriesOf(site.deps.db, id)).find(({ leg }) => leg === 'gp_practice')!;
    expect(stored).toMatchObject({ status: 'suppressed', attempts: [{ outcome: 'interrupted' }] });
  });

  it('tells who has a letter already', async () => {
    const id = await made();
    await deliverAll(id);
    const { body } = await change(referrer, id, { share_with_gp: false });
    expect(body.already_told.map(({ leg, status }: any) => `${leg} ${status}`)).toEqual([
      'service received',
      'gp_practice sent',
    ]);
    expect(body.already_told[1].recipient).toBe(body.gp_practice.name);
    const { items } = await read(referrer, `${id}/history`);
    expect(items.at(-1).kind).toBe('agreement');
  });

  it('sends the copy when the person agrees after all', async () => {
    const { consent } = aReferral('');
    const id = await made({ consent: { ...consent, share_with_gp: false } });
    await change(referrer, id, { share_with_gp: true, said_by: { basis: 'person' } });
    expect((await deliveriesOf(id)).at(-1)).toBe('gp_practice referral queued');
  });

  it('ends the referral if it was the agreement to that', async () => {
    const id = await made();
    const { body } = await change(referrer, id, { referral: false });
    expect([body.status, body.status_reason.code]).toEqual(['cancelled', 'client-declined']);
    const other = await made();
    expect((await change(provider, other, { referral: false })).body.status).toBe('rejected');
  });

  it('is not for strangers or drafts', async () => {
    const id = await made();
    expect((await change(await aTokenHolder(site.deps), id)).status).toBe(404);
    const draft = await made({ status: 'draft' });
    expect((await change(referrer, draft)).status).toBe(409);
  });
});

describe('things that have changed', () => {
  const tell = (who: Person, id: string, payload: object) =>
    call(who, 'POST', `${id}/things-have-changed`, payload);
  const text = 'Her daughter can no longer visit her.';

  it('are told to the other side, and may make the referral urgent', async () => {
    const id = await made();
    await deliverAll(id);
    const before = await read(referrer, id);
    const { status, body } = await tell(referrer, id, { text, urgency: 'urgent' });
    expect([status, body.raised_urgency, body.confirmed]).toEqual([201, true, null]);
    const after = await read(provider, id);
    expect(after.urgency).toBe('urgent');
    expect(Date.parse(after.due_at)).toBeLessThan(Date.parse(before.due_at));
    // The heading of the practice's letter says how urgent the referral is.
    expect((await deliveriesOf(id)).slice(-2)).toEqual([
      'service referral queued',
      'gp_practice referral queued',
    ]);
  });

  it('are confirmed by a named person of the other side', async () => {
    const id = await made();
    const { body } = await tell(provider, id, { text });
    const confirm = (who: Person) => call(who, 'POST', `${id}/things-have-changed/${body.id}/confirm`);
    expect((await confirm(provider)).status).toBe(403);
    const confirmed = (await confirm(referrer)).body.confirmed;
    expect(confirmed.by.name).toBeTruthy();
    expect((await confirm(referrer)).body.confirmed).toEqual(confirmed);
    expect((await read(provider, `${id}/things-have-changed`)).items).toMatchObject([{ text, confirmed }]);
  });

  it('never make a referral less urgent, or change a closed one', async () => {
    const id = await made({ urgency: 'urgent' });
    expect((await tell(referrer, id, { text, urgency: 'routine' })).status).toBe(422);
    await act(id, 'reject', { status_reason: { code: 'other', text: 'No.' } });
    expect((await tell(referrer, id, { text })).status).toBe(409);
  });
});

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aReferral, aTokenHolder } from '../../../test/app/builders.ts';
import { changedReferralFixture } from '../../../test/referrals/changed-referral-fixture.ts';

const fixture = await changedReferralFixture();
const { act, call, completeAll, deliverAll, deliveriesOf, made, provider, read, referrer, site } = fixture;
afterAll(() => site.close());
beforeEach(() => completeAll());

const correct = (who: typeof referrer, id: string, payload: object, version = 1) =>
  call(who, 'PATCH', id, payload, version);

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

  it('is told to service and practice, and marks earlier letters', async () => {
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

  it('is told to the service alone if practices do not get it', async () => {
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

  it.each(['family_name', 'nhs_number', 'birth_date'])('says what to do about a wrong %s', async (name) => {
    const { status, body } = await correct(referrer, await made(), { patient: { [name]: '9990000018' } });
    const message = expect.stringMatching(
      /^cannot be corrected: withdraw the referral .* and refer the person again$/,
    );
    expect([status, body.errors]).toEqual([400, [{ pointer: `/patient/${name}`, message }]]);
  });

  it('needs an open referral, its version, and somebody of a side', async () => {
    const id = await made();
    expect((await call(referrer, 'PATCH', id, { urgency: 'urgent' })).status).toBe(428);
    expect((await correct(await aTokenHolder(site.deps), id, { urgency: 'urgent' })).status).toBe(404);
    await act(id, 'reject', { status_reason: { code: 'other', text: 'No.' } });
    const { status, body } = await correct(referrer, id, { urgency: 'urgent' }, 2);
    expect([status, body.type.split('/').at(-1)]).toEqual([409, 'wrong-state']);
  });
});

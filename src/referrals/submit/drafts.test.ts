import { describe, expect, it } from 'vitest';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';

const { referrer, colleague, provider, operator, stranger, call, get, post, aPerson, deliveriesOf } =
  await referralLifeFixture();

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
    const late = await call(referrer, 'PUT', `/${draft.id}`, { body: {}, version: 4 });
    expect([late.status, late.body.detail]).toEqual([409, expect.stringContaining('with PATCH')]);
    const history = (await get(provider, `/${draft.id}/history`)).body.items;
    expect(history.map(({ from, to }: { from: string | null; to: string }) => [from, to])).toEqual([
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
    expect(wrong.body.errors.map((each: { pointer: string }) => each.pointer).sort()).toEqual([
      '/colour',
      '/patient/birth_date',
    ]);
    const unknown = { status: 'draft', service_id: 'nowhere', gp_practice: { ods_code: 'X00000' } };
    const { status, body } = await post(referrer, '', unknown);
    expect([status, body.errors.map((each: { pointer: string }) => each.pointer)]).toEqual([
      422,
      ['/service_id', '/gp_practice/ods_code'],
    ]);
    const known = { ...aPerson(), status: 'draft' };
    expect((await post(referrer, '', known)).body.status).toBe('draft');
    expect((await post(referrer, '', known)).body.status).toBe('draft');
  });
});

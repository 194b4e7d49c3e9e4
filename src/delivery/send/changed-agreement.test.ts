import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aReferral, aTokenHolder } from '../../../test/app/builders.ts';
import { changedReferralFixture } from '../../../test/referrals/changed-referral-fixture.ts';
import { startAttempt } from '../model/attempts-store.ts';
import { listDeliveriesOf } from '../model/deliveries-store.ts';
import { deliver } from './deliver.ts';

const fixture = await changedReferralFixture();
const { act, call, completeAll, deliverAll, deliveriesOf, made, provider, read, referrer, site } = fixture;
afterAll(() => site.close());
beforeEach(() => completeAll());

describe('an agreement that changed', () => {
  const change = (who: typeof referrer, id: string, payload: object = {}) =>
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
    expect(
      body.already_told.map(({ leg, status }: Record<'leg' | 'status', string>) => `${leg} ${status}`),
    ).toEqual(['service received', 'gp_practice sent']);
    expect(body.already_told[1].recipient).toBe(body.gp_practice.name);
    const { items } = await read(referrer, `${id}/history`);
    expect(items.at(-1).kind).toBe('agreement');
  });

  it('asks a practice at once to restrict the details that it has', async () => {
    const id = await made();
    await deliverAll(id);
    await change(referrer, id, { share_with_gp: 'codes_only' });
    await deliverAll(id);
    expect((await deliveriesOf(id)).slice(1)).toEqual([
      'gp_practice referral sent superseded',
      'gp_practice referral sent',
    ]);
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

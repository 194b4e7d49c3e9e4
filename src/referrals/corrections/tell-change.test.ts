import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { changedReferralFixture } from '../../../test/referrals/changed-referral-fixture.ts';

const fixture = await changedReferralFixture();
const { act, call, completeAll, deliverAll, deliveriesOf, made, provider, read, referrer, site } = fixture;
afterAll(() => site.close());
beforeEach(() => completeAll());

describe('things that have changed', () => {
  const tell = (who: typeof referrer, id: string, payload: object) =>
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
    const confirm = (who: typeof referrer) =>
      call(who, 'POST', `${id}/things-have-changed/${body.id}/confirm`);
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

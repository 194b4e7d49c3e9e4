import { describe, expect, it } from 'vitest';
import { type Holder, referralLifeFixture } from '../../../test/referrals/life-fixture.ts';

const { site, place, referrer, provider, operator, get, post, later, makeReferral } =
  await referralLifeFixture();

describe('the list of referrals', () => {
  it('is newest first, in pages, and names a wrong parameter', async () => {
    await makeReferral();
    site.clock.moveOn(1);
    const { id } = await makeReferral();
    const first = (await get(referrer, '?limit=1')).body;
    expect(first.items[0].id).toBe(id);
    const second = (await get(referrer, `?limit=1&cursor=${first.next_cursor}`)).body;
    expect(second.items[0].id < id).toBe(true);
    for (const [query, pointer] of [
      ['cursor=nonsense', '/query/cursor'],
      ['limit=0', '/query/limit'],
      ['colour=red', '/query/colour'],
    ]) {
      const { status, body } = await get(referrer, `?${query}`);
      expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
    }
  });

  it('has each referral whose answer or next contact is overdue', async () => {
    const { id, due_at, overdue } = await makeReferral();
    expect([due_at, overdue]).toEqual(['2026-12-04T17:00:00.000Z', false]);
    const answered = await makeReferral();
    await post(provider, `/${answered.id}/accept`, {}, 1);
    const overdueIds = async (who: Holder, query = '') =>
      (await get(who, `?overdue=true&limit=200${query}`)).body.items.map((each: { id: string }) => each.id);
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
    const statuses = new Set(several.body.items.map((each: { status: string }) => each.status));
    expect([...statuses].sort()).toEqual(['accepted', 'requested']);
  });
});

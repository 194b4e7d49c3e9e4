import { describe, expect, it } from 'vitest';
import { deliveriesFixture } from '../../../test/delivery/deliveries-fixture.ts';
import { tellOfChange } from '../../../test/delivery/test-site.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { setReferralStatus } from '../../../test/referrals/stored.ts';
import type { Referral } from '../../referrals/index.ts';
import { findUndelivered } from '../undelivered/list-store.ts';
import { watchDeliveries } from './watch-deliveries.ts';

const hour = 3_600_000;
const { site, deliveriesByReceiver, aSilentService } = await deliveriesFixture();
// Whose the work is.
await signedInBrowser(site, { role: 'operator' });

const waitHours = async (hours: number) => {
  site.clock.moveOn(hours * hour);
  await watchDeliveries(site.deps);
};
const rowOf = async (id: string) => (await findUndelivered(site.deps.db, id))!.worklist;

describe('a delivery without an answer', () => {
  it('is listed after a day, escalated after five, until an answer', async () => {
    const { id, referral } = await aSilentService();
    await waitHours(23.9);
    expect(await rowOf(id)).toBeNull();
    await waitHours(0.2);
    const { owner, ...warned } = (await rowOf(id))!;
    expect(warned).toMatchObject({ kind: 'unanswered', escalated: false });
    await waitHours(95);
    expect(await rowOf(id)).toMatchObject({ escalated: false });
    await waitHours(1);
    expect(await rowOf(id)).toMatchObject({ kind: 'unanswered', escalated: true, owner, closed_at: null });
    expect((await deliveriesByReceiver(referral)).service!.status).toBe('received');
    await tellOfChange(site.deps, { ...referral, status: 'accepted', version: 2 }, 'requested');
    expect(await rowOf(id)).toMatchObject({ closed_as: 'resolved' });
  });

  it('leaves the worklist when the referral is cancelled', async () => {
    const early = await aSilentService();
    const late = await aSilentService();
    const callOff = async ({ referral }: { referral: Referral }) => {
      await setReferralStatus(site.deps.db, referral.id, 'cancelled');
      await tellOfChange(site.deps, { ...referral, status: 'cancelled', version: 2 }, 'requested');
    };
    await callOff(early);
    await waitHours(25);
    expect(await rowOf(early.id)).toBeNull();
    await callOff(late);
    expect(await rowOf(late.id)).toMatchObject({ kind: 'unanswered', closed_as: 'resolved' });
  });
});

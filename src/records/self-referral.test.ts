import { describe, expect, it } from 'vitest';
import { recordsFixture } from '../../test/records/fixture.ts';
import { countSelfReferrals, storeSettled } from '../../test/self-referrals/stored.ts';

const { site, post, aCompletedReferral, handedOut, operator, why } = await recordsFixture();

describe('the record of a person who referred themselves', () => {
  it('has what they sent and the calls to them, until it is erased', async () => {
    const { id, patient } = await aCompletedReferral();
    const call = { at: '2026-11-21T09:00:00.000Z', by: 'Mary', reached: true, note: 'Would like company' };
    await storeSettled(site.deps.db, { referralId: id, at: site.clock.now(), calls: [call] });
    const { referrals } = await handedOut({ nhs_number: patient.nhs_number });
    expect(referrals[0]).toMatchObject({
      self_referrals: [
        { telephone: '01632 960 123', about: 'Company', calls: [{ by: { name: 'Mary' }, reached: true }] },
      ],
    });
    expect((await post(operator, `/${id}/erase`, { ...why, ground: 'unlawful' })).status).toBe(200);
    expect(await countSelfReferrals(site.deps.db)).toBe(0);
  });
});

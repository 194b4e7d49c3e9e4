import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aReferral, aTokenHolder } from '../../../test/app/builders.ts';
import { countJobs } from '../../../test/app/jobs.ts';
import { makeReferralFixture } from '../../../test/people/referral-fixture.ts';
import { storedReferrals } from '../../../test/referrals/stored.ts';

const { completeAll, place, site, stored, submit } = await makeReferralFixture();
afterAll(() => site.close());
beforeEach(() => completeAll());

describe('POST /api/referrals', () => {
  it('stores its history, audit, deliveries and their job too', async () => {
    const { body, statusCode } = await submit(
      aReferral(place.serviceId, { gp_practice: { ods_code: 'z99001' } }),
    );
    expect(statusCode).toBe(201);
    const referral = JSON.parse(body);
    expect(referral).toMatchObject({
      status: 'requested',
      gp_practice: { ods_code: 'Z99001' },
      referrer: { ods_code: 'Z99001' },
    });
    expect(
      referral.deliveries.map(({ leg, status }: Record<'leg' | 'status', string>) => [leg, status]),
    ).toEqual([
      ['service', 'queued'],
      ['gp_practice', 'queued'],
    ]);
    expect(await storedReferrals(site.deps.db, [referral.id])).toMatchObject([
      { history: ['requested'], audit: ['referral.requested'], deliveries: 2 },
    ]);
    expect(await countJobs(site.deps.pool, { name: 'deliver-new' })).toBe(1);
  });

  it('makes one referral from twenty for the same person at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(aReferral(place.serviceId))));
    const codes = answers.map((answer) => answer.statusCode).sort();
    expect(codes).toEqual([201, ...Array(19).fill(409)]);
    const made = answers.find((answer) => answer.statusCode === 201)!.json();
    for (const answer of answers.filter((each) => each.statusCode === 409)) {
      expect(answer.json()).toMatchObject({ reference: made.reference, referral_id: made.id });
    }
    expect((await submit({ ...aReferral(place.serviceId), allow_duplicate: true })).statusCode).toBe(201);
  });

  it('makes one referral from twenty requests with one key at once', async () => {
    const before = await stored();
    const headers = { 'idempotency-key': 'twenty-at-once' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => submit(aReferral(place.serviceId), headers)),
    );
    expect(await stored()).toBe(before + 1);
    const ids = new Set(answers.filter((each) => each.statusCode === 201).map((each) => each.json().id));
    expect(ids.size).toBe(1);
    for (const answer of answers.filter((each) => each.statusCode !== 201))
      expect(answer.json().type).toContain('still-in-progress');
    const again = await submit(aReferral(place.serviceId), headers);
    expect([again.statusCode, ids.has(again.json().id)]).toEqual([201, true]);
    expect(again.headers.etag).toMatch(/^"1-/);
    const elsewhere = await aTokenHolder(site.deps);
    expect((await submit(aReferral(place.serviceId), headers, elsewhere)).json().id).not.toBe(
      again.json().id,
    );
  });
});

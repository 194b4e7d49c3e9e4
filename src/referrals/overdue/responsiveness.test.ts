import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { makeOrdinary } from '../../../test/library/stored.ts';
import { backdateRequest, overwriteHistoryReason } from '../../../test/referrals/stored.ts';
import { updateResponsiveness } from './update-responsiveness.ts';

// The site works out from referrals how fast a service answers. It tells the library, which shows it where people
// choose a service.

const hourMs = 3_600_000;
let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
});
afterAll(() => site.close());

type Answer = 'accept' | 'reject' | 'nothing';

/** Sends one referral after the other. Each is answered after its number of hours, longer than any token lasts. */
async function refer(
  serviceId: string,
  organizationId: string,
  answers: readonly [Answer, number][],
  earlier = 0,
) {
  const referrer = await aTokenHolder(site.deps);
  const provider = await aTokenHolder(site.deps, {
    role: 'provider',
    organisation: { name: organizationId, libraryOrganizationId: organizationId },
  });
  const made: string[] = [];
  for (const [index, [answer, hours]] of answers.entries()) {
    const { patient: margaret } = aReferral(serviceId);
    const { nhs_number: _, ...patient } = {
      ...margaret,
      family_name: `Example${'abcdefghijklmnop'[earlier + index]}`,
    };
    const sent = await site.app.inject({
      method: 'POST',
      url: '/api/referrals',
      headers: { ...referrer.headers, 'idempotency-key': `${serviceId}-${earlier + index}` },
      payload: aReferral(serviceId, { patient }),
    });
    expect(sent.statusCode, sent.body).toBe(201);
    if (answer === 'nothing') continue;
    const answered = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${sent.json().id}/${answer}`,
      headers: { ...provider.headers, 'if-match': String(sent.headers.etag) },
      payload:
        answer === 'reject' ? { status_reason: { code: 'no-capacity', text: 'Full until June.' } } : {},
    });
    expect(answered.statusCode, answered.body).toBe(200);
    await backdateRequest(site.deps.db, sent.json().id, hours);
    made.push(sent.json().id);
  }
  return made;
}

const read = async (url: string) => (await site.app.inject(`/api/library/services${url}`)).json();
const accepted = (count: number, hours: number) =>
  Array.from({ length: count }, (): [Answer, number] => ['accept', hours]);
const rejected = (count: number, hours: number) =>
  Array.from({ length: count }, (): [Answer, number] => ['reject', hours]);

describe('the responsiveness of a service', () => {
  it('needs five referrals, and is gone when they are a year old', async () => {
    const [quick, slow, few] = [
      await aService(site.deps, { serviceName: 'Zest' }),
      await aService(site.deps, { serviceName: 'Allotment' }),
      await aService(site.deps, { serviceName: 'Beginners' }),
    ];
    await refer(quick.serviceId, quick.organizationId, [...accepted(5, 12), ['reject', 12], ['nothing', 1]]);
    await refer(slow.serviceId, slow.organizationId, [...rejected(5, 72), ...accepted(1, 72)]);
    await refer(few.serviceId, few.organizationId, accepted(4, 12));
    // Read before, so that the list is one that is remembered.
    expect((await read('?search=zest')).contents[0].responsiveness).toBeUndefined();
    await updateResponsiveness(site.deps);
    expect((await read('?search=zest')).contents[0].responsiveness.referrals_90_days).toBe(7);

    expect((await read(`/${quick.serviceId}`)).responsiveness).toEqual({
      median_days: 0.5,
      share_accepted: 0.85,
      referrals_90_days: 7,
    });
    expect((await read(`/${slow.serviceId}`)).responsiveness).toEqual({
      median_days: 3,
      share_accepted: 0.15,
      referrals_90_days: 6,
      commonest_rejection: 'no-capacity',
    });
    expect(await read(`/${few.serviceId}`)).not.toHaveProperty('responsiveness');
    const names = async (url: string) =>
      (await read(url)).contents.map(({ name }: { name: string }) => name) as string[];
    expect(await names('?sort=responsiveness')).toEqual(['Zest', 'Allotment', 'Beginners']);

    const page = (await site.app.inject('/services?sort=responsiveness')).body;
    for (const short of [
      'Usually within 3 days; accepts about 15%',
      'Usually within a day; accepts about 85%',
    ])
      expect(page).toContain(`${short} of referrals`);
    const whole = async ({ serviceId }: { serviceId: string }) =>
      (await site.app.inject(`/services/${serviceId}`)).body;
    expect(await whole(slow)).toContain('accepts about 15% of referrals; most often declines because');
    expect(await whole(quick)).toContain('accepts about 85% of referrals; 7 referrals in the last 90 days');
    expect((await site.app.inject(`/services/${few.serviceId}`)).body).not.toContain('last 90 days');

    // Of a sensitive service, seven are too few, and more are counted in steps of eight.
    const mark = async (serviceId: string) => {
      const { headers } = await aTokenHolder(site.deps, { role: 'operator' });
      const url = `/api/library/services/${serviceId}/referral_settings`;
      const payload = { accepts: true, channels: ['inbox'], sensitive: true };
      expect((await site.app.inject({ method: 'PUT', url, headers, payload })).statusCode).toBe(200);
    };
    await mark(quick.serviceId);
    expect(await read(`/${quick.serviceId}`)).not.toHaveProperty('responsiveness');
    await updateResponsiveness(site.deps);
    expect(await read(`/${quick.serviceId}`)).not.toHaveProperty('responsiveness');
    const refuge = await aService(site.deps, { serviceName: 'Refuge' });
    await mark(refuge.serviceId);
    for (const [before, more] of [
      [0, 9],
      [9, 6],
      [15, 1],
    ] as const) {
      await refer(refuge.serviceId, refuge.organizationId, accepted(more, 12), before);
      await updateResponsiveness(site.deps);
      const shown = (await read(`/${refuge.serviceId}`)).responsiveness.referrals_90_days;
      expect([before + more, shown]).toEqual([before + more, before + more < 16 ? 8 : 16]);
    }
    await makeOrdinary(site.deps.db, quick.serviceId);
    await updateResponsiveness(site.deps);

    site.clock.moveOn(100 * 24 * hourMs);
    await updateResponsiveness(site.deps);
    expect((await read(`/${quick.serviceId}`)).responsiveness).not.toHaveProperty('referrals_90_days');
    site.clock.moveOn(300 * 24 * hourMs);
    await updateResponsiveness(site.deps);
    expect(await read(`/${quick.serviceId}`)).not.toHaveProperty('responsiveness');
  });
});

describe('the responsiveness of a service whose person died before an answer', () => {
  it('does not count a referral that a death ended', async () => {
    const place = await aService(site.deps, { serviceName: 'Bowls' });
    const made = await refer(place.serviceId, place.organizationId, [...accepted(5, 12), ['reject', 12]]);
    await overwriteHistoryReason(site.deps.db, made.at(-1)!, 'died');
    await updateResponsiveness(site.deps);
    expect((await read(`/${place.serviceId}`)).responsiveness.share_accepted).toBe(1);
  });
});

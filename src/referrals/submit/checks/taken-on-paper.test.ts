import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aReferral } from '../../../../test/app/builders.ts';
import { makeReferralFixture } from '../../../../test/people/referral-fixture.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';
import { dayMs } from '../../../platform/durations.ts';

const { completeAll, place, referrer, site, submit } = await makeReferralFixture();
afterAll(() => site.close());
beforeEach(() => completeAll());

const daysAgo = (days: number) => new Date(site.clock.now().getTime() - days * dayMs).toISOString();

async function send(given: object) {
  const { statusCode: status, body } = await submit({ ...aReferral(place.serviceId), ...given });
  return { status, body: JSON.parse(body) };
}

/** Another referral, sent at once, with the same day on its paper. */
async function sentThen(made_at: string) {
  await completeAll();
  return (await send({ made_at })).body;
}

describe('a referral that was taken on paper', () => {
  it('is due as if it had been sent then', async () => {
    const now = await send({});
    await completeAll();
    const paper = await send({ made_at: daysAgo(14) });
    expect(paper).toMatchObject({ status: 201, body: { made_at: daysAgo(14) } });
    const later = Date.parse(now.body.due_at) - Date.parse(paper.body.due_at);
    expect(later / dayMs).toBe(14);
    expect(paper.body.consent.recorded_at).toBe(daysAgo(14));
    expect(paper.body.requested_at).toBe(site.clock.now().toISOString());
  });

  it('was taken in the past, and not too long ago', async () => {
    for (const made_at of [daysAgo(-1), daysAgo(32)]) {
      const { status, body } = await send({ made_at });
      expect(status).toBe(422);
      expect(body.errors).toMatchObject([{ pointer: '/made_at' }]);
    }
    expect((await send({ made_at: daysAgo(31) })).status).toBe(201);
  });

  it('needs somebody who could agree that day, not when typed in', async () => {
    const made_at = daysAgo(19);
    const { patient } = aReferral('');
    const on = (days: number) => `${Number(daysAgo(days).slice(0, 4)) - 16}${daysAgo(days).slice(4, 10)}`;
    const young = { ...patient, nhs_number: undefined, birth_date: on(9) };
    const refused = await send({ made_at, patient: young, agreement: { basis: 'person' } });
    expect([refused.status, refused.body.errors]).toMatchObject([
      422,
      [{ pointer: '/agreement/basis', message: expect.stringContaining('is under 16') }],
    ]);
    const { body } = await send({ made_at, patient: young });
    expect(body.agreement).toEqual({ basis: 'not_asked' });
    const url = `/api/referrals/${body.id}/cancel`;
    const payload = { status_reason: { code: 'no-capacity', text: 'Full.' } };
    const headers = { ...referrer.headers, 'if-match': '"1"' };
    expect((await site.app.inject({ method: 'POST', url, payload, headers })).statusCode).toBe(200);
    const reroute = {
      method: 'POST',
      url: `/api/referrals/${body.id}/reroute`,
      headers: referrer.headers,
    } as const;
    const again = await site.app.inject({
      ...reroute,
      payload: { service_id: place.serviceId, consent: { referral: true, share_with_gp: true } },
    });
    expect([again.statusCode, again.json().errors[0].pointer]).toEqual([422, '/agreement']);
    const older = { ...young, family_name: 'Older', birth_date: on(19) };
    const taken = await send({ made_at, patient: older, agreement: { basis: 'person' } });
    expect(taken.status, 'sixteen on that day').toBe(201);
  });

  it('says so on its page, with the day', async () => {
    const made_at = daysAgo(3);
    const { body } = await send({ made_at });
    const colleague = await signedInBrowser(site, {
      organisation: { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' },
    });
    const { page, text } = await colleague.open(`/referrals/${body.id}`);
    expect(text).toContain('Taken on paper on');
    expect(page.querySelector('.onward-timeline')!.text).toContain('Taken on paper on');
  });

  it('keeps its day in a draft, and counts from it once sent', async () => {
    const made_at = daysAgo(7);
    const draft = await send({ status: 'draft', made_at });
    expect(draft.body).toMatchObject({ made_at, due_at: null });
    const url = `/api/referrals/${draft.body.id}/request`;
    const headers = { ...referrer.headers, 'if-match': '"1"' };
    const sent = await site.app.inject({ method: 'POST', url, headers, payload: {} });
    expect(Date.parse(sent.json().due_at)).toBe(Date.parse((await sentThen(made_at)).due_at));
  });
});

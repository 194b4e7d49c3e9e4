import { describe, expect, it } from 'vitest';
import { aService } from '../../../test/app/builders.ts';
import { markSensitive } from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { type Holder, referralLifeFixture } from '../../../test/referrals/life-fixture.ts';

// A service may become sensitive long after its name was stored.

const { site, place, referrer, colleague, provider, operator, get, post, later, aPerson, reason } =
  await referralLifeFixture();
const surgery = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
const { organizationId, organizationName } = place;
const refuge = await aService(site.deps, { serviceName: 'The safe house', organizationId, organizationName });
const elsewhere = await aService(site.deps, { serviceName: 'Juniper clinic' });
const cover = { reason: 'I cover for a colleague this week.' };

const fromRefuge = (await post(referrer, '', aPerson(refuge.serviceId))).body;
const why = 'The safe house has no room.';
await post(provider, `/${fromRefuge.id}/transfer`, { service_id: place.serviceId, reason: why }, 1);
const declined = (await post(referrer, '', aPerson())).body;
await post(provider, `/${declined.id}/reject`, { ...reason, suggested_service_id: elsewhere.serviceId }, 1);
await markSensitive(site.deps.db, refuge.serviceId);
await markSensitive(site.deps.db, elsewhere.serviceId);

describe('a service that has become sensitive since', () => {
  it('is not named to outsiders in the history of a transfer', async () => {
    const historyFor = async (who: Holder) => (await get(who, `/${fromRefuge.id}/history`)).body.items.at(-1);
    for (const who of [referrer, provider])
      expect(await historyFor(who)).toMatchObject({
        reason: { text: why },
        changes: [{ from: 'The safe house', to: place.serviceName }],
      });
    expect(await historyFor(colleague)).toMatchObject({
      reason: { text: 'Not shown, because a service is restricted.' },
      changes: [{ field: 'service', from: 'A restricted service', to: place.serviceName }],
    });
    const browser = await signedInBrowser(site, { organisation: surgery });
    const { text } = await browser.open(`/referrals/${fromRefuge.id}`);
    expect(text).toContain('A restricted service');
    expect(text).not.toContain('safe house');
  });

  it('is not named in what people wrote, nor in the names of files', async () => {
    const words = 'She left the  Safe House on Monday.';
    const { id } = fromRefuge;
    await post(provider, `/${id}/messages`, { text: words });
    await post(provider, `/${id}/things-have-changed`, { text: words });
    await post(referrer, `/${id}/messages`, { text: 'Safe houses are full. The safe house, too.' });
    const full = { status_reason: { code: 'no-capacity', text: words } };
    const { id: ended } = (await post(referrer, '', aPerson())).body;
    await post(provider, `/${ended}/reject`, full, 1);
    const shownTo = async (who: Holder) =>
      JSON.stringify([
        (await get(who, `/${id}/messages`)).body,
        (await get(who, `/${id}/things-have-changed`)).body,
        (await get(who, `/${ended}`)).body.status_reason,
        (await get(who, `/${ended}/history`)).body,
        (await get(who, '?limit=200')).body.items.find((each: { id: string }) => each.id === ended),
      ]);
    expect(await shownTo(colleague)).not.toMatch(/the\s+safe house/i);
    expect(await shownTo(colleague)).toContain('She left a restricted service on Monday.');
    expect(await shownTo(colleague)).toContain('Safe houses are full. a restricted service, too.');
    for (const who of [referrer, provider]) expect(await shownTo(who)).toContain(words);
    const browser = await signedInBrowser(site, { organisation: surgery });
    for (const each of [id, ended])
      expect((await browser.open(`/referrals/${each}`)).text).not.toMatch(/the\s+safe house/i);
  });

  it('is not told by who was told, nor by the deliveries', async () => {
    for (const answer of [
      await get(colleague, `/${fromRefuge.id}/deliveries`),
      await post(colleague, `/${fromRefuge.id}/agreement-changed`, { share_with_gp: false }),
    ])
      expect([answer.status, JSON.stringify(answer.body).includes('safe house')]).toEqual([200, false]);
  });

  it('is suggested only to the person who referred', async () => {
    const suggestedTo = async (who: Holder) => (await get(who, `/${declined.id}`)).body.suggested_service;
    expect(await suggestedTo(referrer)).toEqual({ id: elsewhere.serviceId, name: 'Juniper clinic' });
    expect(await suggestedTo(colleague)).toBeNull();
    const browser = await signedInBrowser(site, { organisation: surgery });
    expect((await browser.open(`/referrals/${declined.id}`)).text).not.toContain('Juniper');
  });
});

describe('a declined referral to a restricted service', () => {
  it('is re-routed by a colleague only with a reason', async () => {
    const { id } = (await post(referrer, '', aPerson(refuge.serviceId))).body;
    await post(provider, `/${id}/reject`, reason, 1);
    const answers = { service_id: place.serviceId, consent: { referral: true, share_with_gp: false } };
    const whole = { ...aPerson(), reroutes: id };
    const browser = await signedInBrowser(site, { organisation: surgery });
    const form = `/referrals/new?service=${place.serviceId}`;
    for (const refused of [
      await post(colleague, `/${id}/reroute`, answers),
      await post(colleague, '', whole),
    ])
      expect([refused.status, refused.body.detail]).toEqual([
        403,
        expect.stringContaining('POST /api/referrals/{id}/open'),
      ]);
    for (const path of [`${form}&reroutes=${id}`, `${form}&again=${id}`])
      expect((await browser.open(path)).status).toBe(403);
    await post(colleague, `/${id}/open`, cover);
    expect((await post(colleague, `/${id}/reroute`, answers)).status).toBe(201);
  });
});

describe('a draft for a service that is marked as sensitive meanwhile', () => {
  it('is sent once the person was asked again about the practice', async () => {
    const quiet = await aService(site.deps, { serviceName: 'Quiet clinic' });
    const whole = { ...aPerson(quiet.serviceId), gp_practice: { ods_code: 'Z99001' } };
    const consent = { referral: true, share_with_gp: true };
    const { id } = (await post(referrer, '', { ...whole, consent, status: 'draft' })).body;
    await later(60_000);
    const url = `/api/library/services/${quiet.serviceId}/referral_settings`;
    const payload = { accepts: true, channels: ['inbox'], sensitive: true };
    await site.app.inject({ method: 'PUT', url, headers: operator.headers, payload });
    const refused = await post(referrer, `/${id}/request`, {}, 1);
    expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([422, '/consent/share_with_gp']);
    const browser = await signedInBrowser(site, { organisation: surgery });
    await browser.send(`/referrals/${id}/open`, cover);
    const form = await browser.open(`/referrals/${id}/edit`);
    expect(form.text).toContain('was marked as sensitive after the draft was saved');
    expect(form.page.querySelector('[name=share_with_gp][checked]')?.getAttribute('value')).toBe('no');
    const answered = { ...whole, consent };
    await site.app.inject({
      method: 'PUT',
      url: `/api/referrals/${id}`,
      headers: { ...referrer.headers, 'if-match': '"1"' },
      payload: answered,
    });
    expect((await post(referrer, `/${id}/request`, {}, 2)).status).toBe(200);
  });
});

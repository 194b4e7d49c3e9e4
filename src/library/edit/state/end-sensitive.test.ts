import { describe, expect, it } from 'vitest';
import { aService } from '../../../../test/app/builders.ts';
import { storedEntries } from '../../../../test/audit/stored.ts';
import { markSensitive } from '../../../../test/library/stored.ts';
import { mailsTo } from '../../../../test/network/mailbox.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';
import { type Holder, referralLifeFixture } from '../../../../test/referrals/life-fixture.ts';

const { site, place, referrer, colleague, provider, operator, get, later, makeReferral } =
  await referralLifeFixture();
await markSensitive(site.deps.db, place.serviceId);
const before = await makeReferral();
const reason = 'The trust gave its drug work to somebody else.';
const page = `/services/${place.serviceId}/referral-settings`;

async function set(who: Holder, settings: object) {
  const answer = await site.app.inject({
    method: 'PUT',
    url: `/api/library/services/${place.serviceId}/referral_settings`,
    headers: who.headers,
    payload: { accepts: true, channels: ['inbox'], ...settings },
  });
  return { status: answer.statusCode, body: answer.json() };
}

describe('that a service is not sensitive any more', () => {
  it('is said by an operator alone, with a reason', async () => {
    expect((await set(provider, { sensitive: false, sensitive_reason: reason })).status).toBe(403);
    const silent = await set(operator, { sensitive: false, sensitive_reason: 'asdf asdfgh' });
    expect([silent.status, silent.body.errors[0].pointer]).toEqual([422, '/sensitive_reason']);
    expect((await set(provider, { sensitive: true })).body.sensitive).toBe(true);
    const browser = await signedInBrowser(site, {
      role: 'provider',
      organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
    });
    const shown = await browser.open(page);
    expect(shown.text).toContain('ask an operator of this site to change that');
    expect(shown.page.querySelector('input[type=checkbox][name=sensitive]')).toBeNull();
  });

  it('is announced to all operators, and named for new referrals', async () => {
    const browser = await signedInBrowser(site, { role: 'operator' });
    const asked = await browser.send(page, { accepts: 'yes', channel_1: 'inbox' });
    const link = asked.page.querySelector('.nhsuk-error-summary a')?.getAttribute('href');
    expect([asked.status, link]).toEqual([422, '#sensitive_reason']);
    const said = { accepts: 'yes', channel_1: 'inbox', sensitive_reason: reason };
    expect((await browser.send(page, said)).status).toBe(303);
    const subjectId = place.serviceId;
    const action = 'service.referral_settings_changed';
    const entries = await storedEntries(site.deps.db, { action, subjectId });
    expect(entries.at(-1)!.details).toMatchObject({ sensitive: false, reason });
    const mails = await mailsTo(site, operator.email);
    expect(mails.map(({ text }) => text).join()).toContain(`Why: ${reason}`);
    await later(60_000);
    const { id } = await makeReferral();
    expect((await get(colleague, `/${id}`)).body.service.name).toBe(place.serviceName);
  });

  it('stays hidden where somebody was referred before', async () => {
    const read = (who: Holder, path: string) => get(who, path);
    expect((await read(referrer, `/${before.id}`)).body.service.name).toBe(place.serviceName);
    const { service, reasons } = (await read(colleague, `/${before.id}`)).body;
    expect([service.name, reasons]).toEqual(['A restricted service', undefined]);
    const listed = (await read(colleague, `?service_id=${place.serviceId}&limit=200`)).body.items;
    expect(listed.map(({ id }: { id: string }) => id)).not.toContain(before.id);
    const leaflet = await site.app.inject({
      url: `/api/referrals/${before.id}/leaflet.pdf`,
      headers: colleague.headers,
    });
    expect(leaflet.statusCode).toBe(403);
  });
});

describe('a location that is not confidential any more', () => {
  const locationOf = async () => (await set(operator, {})).body.location_confidential;

  it('is said only by an operator, with a reason that all learn', async () => {
    expect((await set(provider, { location_confidential: true })).status).toBe(200);
    const off = { location_confidential: false };
    expect((await set(provider, { ...off, location_reason: reason })).status).toBe(403);
    const silent = await set(operator, off);
    expect([silent.status, silent.body.errors[0].pointer]).toEqual([422, '/location_reason']);
    const browser = await signedInBrowser(site, {
      role: 'provider',
      organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
    });
    const shown = await browser.open(page);
    expect(shown.page.querySelector('input[type=checkbox][name=location_confidential]')).toBeNull();
    // A form without the tick, as an old page would send it.
    expect((await browser.send(page, { accepts: 'yes', channel_1: 'inbox' })).status).toBe(403);
    expect(await locationOf()).toBe(true);
    expect((await set(operator, { ...off, location_reason: reason })).body.location_confidential).toBe(false);
    const told = (await mailsTo(site, operator.email)).filter(({ subject }) => subject.includes('location'));
    expect(told.map(({ text }) => text).join()).toContain(`Why: ${reason}`);
  });

  it('stays confidential when the service is imported again', async () => {
    await set(provider, { sensitive: true, location_confidential: true });
    await aService(site.deps, { ...place, serviceName: 'Another name' });
    expect((await set(operator, {})).body).toMatchObject({ sensitive: true, location_confidential: true });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aService } from '../../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../../test/app/make-app.ts';
import { storedEntries } from '../../../../test/audit/stored.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';

let site: TestApp;
let operator: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  site = await makeApp();
  operator = await signedInBrowser(site, { role: 'operator' });
});
afterAll(() => site.close());

describe('the referral settings page', () => {
  it('names who got the link for a new address, and what waits', async () => {
    const { serviceId } = await aService(site.deps);
    const path = `/services/${serviceId}/referral-settings`;
    const other = await signedInBrowser(site, { role: 'operator' });
    const form = { accepts: 'yes', channel_1: 'mesh', mesh: 'X26OT001' };
    const { location } = await operator.send(path, form);
    expect(location).toBe(`${path}?done=settings-unconfirmed`);
    const { text } = await operator.open(location!);
    expect(text).toContain('A new address is not used yet.');
    expect(text).toContain('Without one, referrals wait until the new one is confirmed.');
    expect(text).toMatch(
      new RegExp(`MESH.*X26OT001.*We emailed the link to [^ ]*${other.email}.* works until`, 's'),
    );
    expect((await operator.open(path)).text).not.toContain('We emailed the link');
  });

  it('asks for two channels, and for more where they are in use', async () => {
    const { serviceId } = await aService(site.deps);
    const path = `/services/${serviceId}/referral-settings`;
    const isFolded = async (name: string) => {
      const fold = (await operator.open(path)).page.querySelector(`[name=${name}]`)!.closest('details');
      return fold !== null && !fold.hasAttribute('open');
    };
    expect([await isFolded('channel_2'), await isFolded('channel_3')]).toEqual([false, true]);
    const form = { accepts: 'yes', channel_1: 'inbox', channel_2: 'email', channel_3: 'webhook' };
    const addresses = { delivery_email: 'letters@example.org', webhook: 'https://client.example.org/told' };
    expect((await operator.send(path, { ...form, ...addresses })).status).toBe(303);
    expect(await isFolded('channel_3')).toBe(false);
  });

  it('refuses an address that no channel uses', async () => {
    const { serviceId } = await aService(site.deps);
    const path = `/services/${serviceId}/referral-settings`;
    const form = { accepts: 'yes', channel_1: 'inbox', delivery_email: 'letters@example.org' };
    const { status, page } = await operator.send(path, form);
    expect(status).toBe(422);
    const link = page.querySelector('.nhsuk-error-summary a[href="#delivery_email"]')!;
    expect(link.text).toContain('Choose email as a channel');
    expect((await operator.send(path, { ...form, channel_2: 'email' })).status).toBe(303);
  });

  it('folds what is seldom changed, and opens what is wrong', async () => {
    const { serviceId } = await aService(site.deps);
    const path = `/services/${serviceId}/referral-settings`;
    const summaries = (await operator.open(path)).page.querySelectorAll('main details:not([open]) summary');
    expect(summaries.map(({ text }) => text.trim())).toEqual([
      'Add another',
      'Who answers: the organisation that runs it',
      'Answers from an email: yes',
      'Sensitive service: no. Location: shown',
      'Records: general, kept for 8 years',
    ]);
    const { page } = await operator.send(path, { accepts: 'yes', channel_1: 'inbox', retention_years: '0' });
    expect(page.querySelector('details[open] #retention_years')).not.toBeNull();
  });

  it('lets only operators keep records shorter, with a reason', async () => {
    const place = await aService(site.deps);
    const path = `/services/${place.serviceId}/referral-settings`;
    const organisation = { name: place.organizationName, libraryOrganizationId: place.organizationId };
    const staff = await signedInBrowser(site, { role: 'provider', organisation });
    const form = { accepts: 'yes', channel_1: 'inbox', record_kind: 'general' };
    expect((await staff.open(path)).text).toContain('Only an operator of this site can set fewer years');
    expect((await staff.send(path, { ...form, retention_years: '7' })).status).toBe(422);
    expect((await staff.send(path, { ...form, retention_years: '9' })).status).toBe(303);
    expect((await staff.send(path, { ...form, retention_years: '8' })).status).toBe(303);
    expect((await staff.send(path, { ...form, record_kind: 'mental_health' })).status).toBe(303);
    expect((await staff.send(path, { ...form, retention_years: '20' })).status).toBe(422);
    const shorter = { ...form, record_kind: 'mental_health', retention_years: '10' };
    expect((await staff.send(path, shorter)).text).toContain('ask them, and say why');
    const noReason = await operator.send(path, shorter);
    expect(noReason.page.querySelector('.nhsuk-error-summary a')!.getAttribute('href')).toBe(
      '#retention_reason',
    );
    const retention_reason = 'The council’s schedule of 2025 says ten years.';
    expect((await operator.send(path, { ...shorter, retention_reason })).status).toBe(303);
    // Staff may lengthen it again, and save other things meanwhile.
    expect((await staff.send(path, { ...shorter, retention_years: '12' })).status).toBe(303);
    const audited = await storedEntries(site.deps.db, { action: 'service.referral_settings_changed' });
    expect(audited.find(({ details }) => details.reason === retention_reason)!.details).toMatchObject({
      before: { record_kind: 'mental_health', retention_years: null },
      retention_years: 10,
    });
  });

  it('refuses a channel whose address is missing', async () => {
    const { serviceId } = await aService(site.deps);
    const path = `/services/${serviceId}/referral-settings`;
    const send = (form: Record<string, string>) => operator.send(path, { accepts: 'yes', ...form });
    const faults = async (form: Record<string, string>) => {
      const { status, page } = await send(form);
      const links = page.querySelectorAll('.nhsuk-error-summary a').map((link) => link.getAttribute('href'));
      return [status, ...links];
    };
    expect(await faults({ channel_1: 'email', channel_2: 'webhook', channel_3: 'mesh' })).toEqual([
      422,
      '#delivery_email',
      '#webhook',
      '#mesh',
    ]);
    // Without a mailbox for letters, they go to the people who answer.
    for (const more of [{ email: 'desk@example.org' }, { delivery_email: 'letters@example.org' }])
      expect((await send({ channel_1: 'email', ...more })).status).toBe(303);
    expect((await send({ channel_1: 'inbox' })).status).toBe(303);
    expect(await faults({ channel_1: 'inbox', telephone: 'reception' })).toEqual([422, '#telephone']);
    expect((await send({ channel_1: 'inbox', telephone: '01632 960777, reception' })).status).toBe(303);
  });
});

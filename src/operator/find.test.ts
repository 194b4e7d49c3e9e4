import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';
import { signedInBrowser } from '../../test/people/signed-in-browser.ts';

let site: TestApp;
let operator: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  site = await makeApp();
  operator = await signedInBrowser(site, { role: 'operator', name: 'Olwen Finder' });
});
afterAll(() => site.close());

const find = (text: string) => operator.open(`/operator?${new URLSearchParams({ find: text })}`);

describe('the search on the page Admin', () => {
  it('finds accounts, organisations, services and settings', async () => {
    const { serviceId } = await aService(site.deps, { serviceName: 'Walking for <b>wellbeing</b>' });
    const links = async (text: string) =>
      (await find(text)).page.querySelectorAll('#found ~ ul a').map((link) => link.getAttribute('href'));
    expect(await links('olwen finder')).toContain(`/operator/accounts/${operator.id}`);
    expect(await links('walking for')).toContain(`/services/${serviceId}`);
    expect(await links('retention_years')).toContain('/operator/settings#ONWARD_RETENTION_YEARS');
  });

  it('finds a referral by its whole reference alone', async () => {
    const { serviceId } = await aService(site.deps);
    const { token } = await aTokenHolder(site.deps);
    const made = await site.app.inject({
      method: 'POST',
      url: '/api/referrals',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'find-1' },
      payload: aReferral(serviceId),
    });
    const { id, reference } = made.json();
    const typed = reference.replace('-', ' ').toLowerCase();
    const { page } = await find(typed);
    expect(page.querySelector(`a[href="/referrals/${id}"]`)?.text).toBe(reference);
    expect((await find(reference.slice(0, 8))).text).toContain('Nothing was found');
  });
});

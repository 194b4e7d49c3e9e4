import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';
import { signedInBrowser } from '../../test/people/signed-in-browser.ts';
import { backdateRequest } from '../../test/referrals/stored.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

describe('the report', () => {
  it('counts referrals and outcomes, without names', async () => {
    const { serviceId, organizationId } = await aService(site.deps, { serviceName: 'Ferry Lane choir' });
    const referrer = await aTokenHolder(site.deps);
    const organisation = { name: organizationId, libraryOrganizationId: organizationId };
    const provider = await aTokenHolder(site.deps, { role: 'provider', organisation });
    const post = (path: string, headers: object, payload: object) =>
      site.app.inject({ method: 'POST', url: `/api/referrals${path}`, headers: { ...headers }, payload });
    const send = async (more = {}) =>
      (await post('', referrer.headers, aReferral(serviceId, { allow_duplicate: true, ...more }))).json().id;

    await send();
    await send({ status: 'draft' });
    const old = await send();
    await backdateRequest(site.deps.db, old, 14 * 31 * 24);
    const status_reason = { code: 'no-capacity', text: 'Full until June.' };
    await post(`/${await send()}/reject`, { ...provider.headers, 'if-match': '"1"' }, { status_reason });

    const operator = await signedInBrowser(site, { role: 'operator' });
    const { page, text } = await operator.open('/operator/reports');
    const rows = page
      .querySelectorAll('table:not([aria-labelledby=not-asked]) tbody tr')
      .map((row) => row.querySelectorAll('td').map((cell) => cell.lastChild?.text.trim()));
    expect(rows).toEqual([
      [expect.stringMatching(/^\w+ 20\d\d$/), '2', '1', '0', '0', '0', '1', '0'],
      ['Ferry Lane choir', '2', '1', '0', '0', '0', '1', '0'],
    ]);
    expect(text).toContain('The service is full at present: 1');
    expect(text).not.toContain('Example');
    expect(
      (await operator.open('/operator/reports?months=60')).page.querySelectorAll(
        'table:not([aria-labelledby=not-asked]) tbody tr',
      ),
    ).toHaveLength(3);
    const other = await signedInBrowser(site, { role: 'referrer' });
    expect((await other.open('/operator/reports')).status).toBe(403);
  });

  it('counts what was not asked, a row each', async () => {
    const asked = await makeApp();
    const { serviceId } = await aService(asked.deps);
    const { headers } = await aTokenHolder(asked.deps);
    const send = async (more: object) => {
      const payload = { ...aReferral(serviceId), allow_duplicate: true, ...more };
      const { statusCode, body } = await asked.app.inject({
        method: 'POST',
        url: '/api/referrals',
        headers,
        payload,
      });
      expect(statusCode, body).toBe(201);
    };
    const { patient } = aReferral(serviceId);
    await send({});
    await send({ patient: { ...patient, birth_date: '2019-03-09', nhs_number: undefined } });
    await send({ risk: 'no', contact: { safe: 'yes' }, agreement: { basis: 'person' }, gp_actions: [] });
    await send({ risk: 'could_not_ask', contact: { safe: 'yes' } });
    const operator = await signedInBrowser(asked, { role: 'operator' });
    const { page, text } = await operator.open('/operator/reports');
    expect(text).toContain('Referrals counted: 4, without erased ones.');
    const rows = page
      .querySelectorAll('table[aria-labelledby=not-asked] tbody tr')
      .map((row) => row.querySelectorAll('td').map((cell) => cell.lastChild?.text.trim()));
    expect(rows).toEqual([
      ['Whether anybody is at risk of serious harm', '2'],
      ['Whether it is safe to contact the person', '2'],
      ['Who agreed, or changed the agreement, for somebody who may not decide alone', '1'],
      ['Whether the GP practice has to do anything', '3'],
    ]);
    await asked.close();
  });

  it('counts sensitive services together, and no number of them below eight', async () => {
    const refuge = await aService(site.deps, { serviceName: 'Larkspur refuge' });
    const { headers } = await aTokenHolder(site.deps, { role: 'operator' });
    await site.app.inject({
      method: 'PUT',
      url: `/api/library/services/${refuge.serviceId}/referral_settings`,
      headers,
      payload: { accepts: true, channels: ['inbox'], sensitive: true },
    });
    const referrer = await aTokenHolder(site.deps);
    for (let count = 0; count < 8; count += 1)
      await site.app.inject({
        method: 'POST',
        url: '/api/referrals',
        headers: referrer.headers,
        payload: aReferral(refuge.serviceId, { allow_duplicate: true }),
      });
    const operator = await signedInBrowser(site, { role: 'operator' });
    const { text } = await operator.open('/operator/reports');
    expect(text).not.toContain('Larkspur');
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /Sensitive services, together Sent 8 Waiting for an answer 8 Overdue fewer than 8/,
    );

    // Subtracting the other rows from a total does not tell either: the page stays as it was.
    const said = async () => (await operator.open('/operator/reports')).text.replaceAll(/\s+/g, ' ');
    const before = await said();
    const ninth = await site.app.inject({
      method: 'POST',
      url: '/api/referrals',
      headers: referrer.headers,
      payload: aReferral(refuge.serviceId, { allow_duplicate: true }),
    });
    const staff = await aTokenHolder(site.deps, {
      role: 'provider',
      organisation: { name: refuge.organizationName, libraryOrganizationId: refuge.organizationId },
    });
    await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${ninth.json().id}/reject`,
      headers: { ...staff.headers, 'if-match': '"1"' },
      payload: { status_reason: { code: 'out-of-area', text: 'Too far.' } },
    });
    expect(await said()).toBe(before);
  });
});

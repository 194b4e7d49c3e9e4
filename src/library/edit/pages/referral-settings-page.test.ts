import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aService } from '../../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../../test/app/make-app.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';

let site: TestApp;
let operator: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  site = await makeApp();
  operator = await signedInBrowser(site, { role: 'operator' });
});
afterAll(() => site.close());

describe('the referral settings page', () => {
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

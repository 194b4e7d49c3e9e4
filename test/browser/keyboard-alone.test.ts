import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { apiClient, copyKeys } from '../people/api-client.ts';
import { pageVisitor } from '../people/page-visitor.ts';
import { keyboardUser } from './keyboard.ts';
import { inChromium, openWindow } from './open-browser.ts';
import { siteInBrowser } from './site-in-browser.ts';

// The main journeys of each role without a mouse: from the address bar on, every step is a key.

const { site, browser } = await siteInBrowser();
const person = pageVisitor(site.baseUrl);
await person.signIn(site.logins.referrer);
const api = apiClient(site.baseUrl, (await copyKeys(person)).access);

async function signedIn(login: { email: string; password: string }) {
  const window = await openWindow(browser, site.baseUrl);
  const { page } = window;
  const keys = keyboardUser(page);
  await page.goto('/signin');
  await keys.type(page.getByLabel('Email address'), login.email);
  await keys.type(page.getByLabel('Password', { exact: true }), login.password);
  await keys.follow(page.getByRole('button', { name: 'Sign in', exact: true }));
  return { ...window, keys };
}

describe('without a mouse', inChromium, () => {
  it('a link worker finds a service, refers and writes to it', async () => {
    const { page, keys, complaints, close } = await signedIn(site.logins.referrer);
    await page.goto('/');
    await keys.press('Tab');
    expect(await page.locator(':focus').innerText(), 'the first stop').toBe('Skip to main content');
    await keys.follow(page.getByRole('link', { name: 'Find a service' }).first());
    await keys.type(page.getByLabel('What are you looking for?'), 'befriending');
    await keys.press('Enter');
    await page.getByRole('link', { name: 'Good Company befriending' }).first().waitFor();
    await keys.follow(page.getByRole('link', { name: 'Good Company befriending' }).first());
    await keys.follow(page.getByRole('link', { name: 'Make a referral' }).first());

    await keys.type(page.getByLabel('First name', { exact: true }), 'Edwin');
    await keys.type(page.getByLabel('Last name', { exact: true }), 'Everyman');
    const birth = page.getByRole('group', { name: 'Date of birth' });
    await keys.type(birth.getByLabel('Day', { exact: true }), '4');
    await keys.type(birth.getByLabel('Month', { exact: true }), '7');
    await keys.type(birth.getByLabel('Year', { exact: true }), '1944');
    await keys.type(page.getByLabel('Address line 1', { exact: true }), '4 Mill Lane');
    await keys.type(page.getByLabel('Postcode', { exact: true }), 'ZT1 3GH');
    await keys.choose(page.getByLabel('Another practice'));
    await keys.type(page.getByLabel('Code of the GP practice'), 'Z99002');
    await keys.type(page.getByLabel('Why are you referring this person?'), 'He has nobody to talk to.');
    for (const answer of [
      page.getByLabel('Routine', { exact: true }),
      page.locator('input[name="risk"][value="no"]'),
      page.locator('input[name="agreement_basis"]').first(),
      page.locator('input[name="share_with_gp"]').first(),
      page.locator('input[name="contact_safe"][value="yes"]'),
    ])
      await keys.choose(answer);
    await keys.follow(page.getByRole('button', { name: 'Continue' }));
    await page.getByRole('heading', { name: 'Check before you send' }).waitFor();
    await keys.follow(page.getByRole('button', { name: 'Send the referral' }));
    await keys.reach(page.locator('summary', { hasText: 'Message the service' }));
    await keys.press('Enter');
    await keys.type(page.getByLabel('Your message'), 'He does not hear the door bell.');
    await keys.follow(page.getByRole('button', { name: 'Send the message' }));
    await page.getByText('He does not hear the door bell.').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('the service’s staff accept, note first contact and complete', async () => {
    const { page, keys, complaints, close } = await signedIn(site.logins.provider);
    await keys.follow(page.getByRole('link', { name: /^Referrals/ }).first());
    await keys.follow(page.getByRole('link', { name: /everyman/i }).first());
    await keys.follow(page.getByRole('button', { name: 'Accept the referral' }));
    await keys.reach(page.locator('summary', { hasText: 'Log a contact' }));
    await keys.press('Enter');
    await keys.follow(page.getByRole('button', { name: 'I reached the person' }));
    await keys.reach(page.locator('.onward-case-more summary'));
    await keys.press('Enter');
    await keys.follow(page.getByRole('link', { name: 'Complete the referral' }).first());
    await keys.reach(page.getByLabel('Outcome'));
    await keys.press('ArrowDown');
    await keys.type(page.getByLabel('What changed for the person?'), 'He comes every Thursday.');
    const anyTask = page.getByRole('group', { name: 'Does the GP practice have to do anything?' });
    await keys.choose(anyTask.getByLabel('No', { exact: true }).first());
    await keys.follow(page.getByRole('button', { name: 'Complete the referral' }));
    await page.getByText('Completed').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('an operator sends a failed letter, and reads the audit', async () => {
    const example = JSON.parse(await readFile('sample/first-referral.json', 'utf8'));
    const patient = { ...example.patient, family_name: 'Bounced' };
    const made = await api.post('/api/referrals', { ...example, patient, allow_duplicate: true });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { page, keys, complaints, close } = await signedIn(site.logins.operator);
    const copy = page.getByRole('link', { name: 'A copy, to Infirmary Lane Surgery' });
    await expect
      .poll(() => page.goto('/operator/deliveries?show=all').then(() => copy.count()), { timeout: 60_000 })
      .toBeGreaterThan(0);
    await keys.follow(copy.first());
    await keys.select(page.getByLabel('Channel', { exact: true }), 'document');
    await keys.follow(page.getByRole('button', { name: 'Send by another channel' }));
    await expect
      .poll(() => page.reload().then(() => page.getByText(/^(Sent|Would have been sent)\b/).count()), {
        timeout: 60_000,
      })
      .toBeGreaterThan(0);
    await keys.follow(page.getByRole('link', { name: 'Admin' }).first());
    await keys.follow(page.getByRole('link', { name: 'Audit' }).first());
    await page.getByRole('heading', { name: 'Audit' }).first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});

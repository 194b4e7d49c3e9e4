import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readySite } from '../app/ready-site.ts';
import type { SiteProcess } from '../app/site-process.ts';
import { follow, openBrowser, openWindow, signIn } from './open-browser.ts';

let site: SiteProcess;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([readySite(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await site.remove();
});

describe('the form of a referral', () => {
  it('asks before it is left with something that was not sent', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl);
    const asked: string[] = [];
    page.on('dialog', async (dialog) => {
      asked.push(dialog.type());
      await dialog.accept();
    });
    await signIn(page, site.logins.referrer);
    const openForm = async () => {
      await page.goto('/services?search=befriending');
      await follow(page.getByRole('link', { name: 'Good Company befriending', exact: true }));
      await follow(page.locator('a[href^="/referrals/new"]').first());
    };
    await openForm();
    await page.goto('/referrals');
    expect(asked, 'nothing was typed').toEqual([]);

    await openForm();
    await page.getByLabel('First name').fill('Margaret');
    await page.goto('/referrals');
    expect(asked).toEqual(['beforeunload']);

    await openForm();
    await page.getByLabel('First name').fill('Margaret');
    await follow(page.getByRole('button', { name: 'Send the referral' }));
    expect(asked, 'it is being sent').toHaveLength(1);
    await page.locator('.nhsuk-error-summary').waitFor();
    // A browser asks only where somebody has touched the page.
    await page.getByLabel('Last name').click();
    await page.goto('/referrals');
    expect(asked, 'it came back with mistakes').toHaveLength(2);

    await openForm();
    await page.getByLabel('First name').fill('Margaret');
    await follow(page.getByRole('button', { name: 'Save as a draft' }));
    await page.goto('/referrals');
    expect(asked, 'it was saved').toHaveLength(2);
    expect(complaints).toEqual([]);
    await close();
  });
});

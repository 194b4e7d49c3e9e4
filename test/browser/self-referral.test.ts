import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPassword } from '../app/builders.ts';
import { selfReferralFixture } from '../self-referrals/fixture.ts';
import { expectAccessible, follow, inChromium, openBrowser, openWindow, signIn } from './open-browser.ts';

const { site, serviceId, path, owner, operator } = await selfReferralFixture();

let browser: Browser;
let baseUrl: string;
beforeAll(async () => {
  baseUrl = await site.app.listen({ host: '127.0.0.1', port: 0 });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

/** A small telephone whose browser runs no scripts. */
async function smallPhone(): Promise<Page> {
  const viewport = { width: 320, height: 640 };
  const context = await browser.newContext({ baseURL: baseUrl, viewport, javaScriptEnabled: false });
  return context.newPage();
}

const press = (page: Page, name: string) => follow(page.getByRole('button', { name, exact: true }));
const words = (page: Page) => page.locator('main').innerText();

async function expectToFit(page: Page): Promise<void> {
  const scrollWidth = await page.evaluate('document.documentElement.scrollWidth');
  // After the link that only people with a keyboard see.
  const first = (await page.locator('a, button, input').nth(1).innerText()).trim();
  expect([scrollWidth, first]).toEqual([320, 'Leave this page']);
}

describe('a person on a small telephone without JavaScript', inChromium, () => {
  it('refers themselves; a link worker rings and makes a draft', async () => {
    const page = await smallPhone();
    await page.goto(`/find/${serviceId}`);
    await follow(page.getByRole('link', { name: 'Refer yourself' }));
    await expectToFit(page);
    await press(page, 'Continue');
    expect(await words(page)).toContain('Say whether it is safe to ring you');
    await expectToFit(page);
    await page.getByLabel('Only at certain times').check();
    await page.getByLabel('16 or over').check();
    await press(page, 'Continue');
    await expectToFit(page);
    await page.getByLabel('First name').fill('Ines');
    await page.getByLabel('Last name').fill('Marsh');
    await page.getByLabel('Telephone number').fill('01632 960 123');
    await page.getByLabel('When is it safe to ring you?').fill('Weekdays before noon');
    await page.getByLabel('No', { exact: true }).check();
    await page.getByLabel('What would you like help with?').fill('Company in the evenings');
    await press(page, 'Send');
    await expectToFit(page);
    expect(await words(page)).toContain('We will ring you by Tuesday 24 November 2026');
    await page.context().close();

    const { page: desk, complaints, close } = await openWindow(browser, baseUrl);
    await signIn(desk, { email: owner.email, password: testPassword });
    await desk.goto('/self-referrals');
    await expectAccessible(desk);
    await follow(desk.getByRole('button', { name: /^Take/ }));
    await expectAccessible(desk);
    await desk.getByLabel('Yes').check();
    await press(desk, 'Save the call');
    await expectAccessible(desk);
    await press(desk, 'Make a draft');
    expect(await desk.getByLabel('First name').inputValue()).toBe('Ines');
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('the pages of self-referral', inChromium, () => {
  it('can be used by everybody', async () => {
    const { page, complaints, close } = await openWindow(browser, baseUrl);
    await page.goto(path);
    await expectAccessible(page);
    await page.getByLabel('Yes, you can ring me').check();
    await page.getByLabel('Under 16').check();
    await press(page, 'Continue');
    await expectAccessible(page);
    await page.goto(path);
    await page.getByLabel('No, or I am not sure').check();
    await page.getByLabel('16 or over').check();
    await press(page, 'Continue');
    await expectAccessible(page);
    await page.goto(path);
    await page.getByLabel('Yes, you can ring me').check();
    await page.getByLabel('16 or over').check();
    await press(page, 'Continue');
    await expectAccessible(page);
    await press(page, 'Send');
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();

    const staff = await openWindow(browser, baseUrl);
    await signIn(staff.page, { email: operator.email, password: testPassword });
    await staff.page.goto('/operator/self-referrals');
    await expectAccessible(staff.page);
    await staff.page.getByLabel('Monday').uncheck();
    await staff.page.getByLabel('Tuesday').uncheck();
    await staff.page.getByLabel('Friday').uncheck();
    await press(staff.page, 'Save');
    await expectAccessible(staff.page);
    await staff.close();
  });
});

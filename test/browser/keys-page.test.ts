import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, inChromium, openWindow, phone, signIn } from './open-browser.ts';
import { siteInBrowser } from './site-in-browser.ts';

const { site, browser } = await siteInBrowser();

async function copyRefreshToken(page: Page): Promise<string> {
  await page.goto('/apikeys');
  await page.getByRole('button', { name: 'Copy the refresh token' }).click();
  await page.locator('#refresh-token-copied').getByText('Copied').waitFor();
  return page.locator('#refresh-token').inputValue();
}

describe('the keys page', inChromium, () => {
  it('selects a key if there is no clipboard, as over http', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, phone);
    await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await signIn(page, site.logins.referrer);
    const key = await copyRefreshToken(page);
    expect(await page.evaluate('document.getSelection().toString()')).toBe(key);
    expect(complaints).toEqual([]);
    await close();
  });

  it('copies, limits and replaces keys', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, site.logins.referrer);
    const key = await copyRefreshToken(page);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Change how your refresh token may be used' }).click();
    await page.getByLabel('Allowed IP addresses').fill('my office');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'There is a problem' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Allowed IP addresses').fill('192.0.2.0/24');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('is not allowed').waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Make new keys' }).click();
    await page.getByText('in every system that uses it').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make new keys' }).click();
    await page.waitForURL(/\/apikeys\?done=/);
    expect(await page.locator('#refresh-token').inputValue()).not.toBe(key);
    await page.getByRole('link', { name: 'How to connect your own system' }).click();
    await page.getByRole('heading', { name: 'Connecting your own system' }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });
});

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readySite } from '../app/ready-site.ts';
import type { SiteProcess } from '../app/site-process.ts';
import { expectAccessible, openBrowser, openWindow, signIn } from './open-browser.ts';

let site: SiteProcess;
let browser: Browser;
beforeAll(async () => {
  site = await readySite();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.remove();
});

/** Whether the page can use the clipboard, which it cannot over plain http, and the width of the window. */
const windows: [boolean, number][] = [
  [true, 1280],
  [false, 390],
];

describe('the keys page', () => {
  it.each(windows)('copies, guards and replaces keys (clipboard: %s, %i px)', async (clipboard, width) => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, width);
    if (clipboard) await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    else await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await signIn(page, site.logins.referrer);
    await page.goto('/apikeys');
    const key = await page.locator('#refresh-token').inputValue();
    await page.getByRole('button', { name: 'Copy the refresh token' }).click();
    await page.locator('#refresh-token-copied').getByText('Copied').waitFor();
    if (clipboard) expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    else expect(await page.evaluate('document.getSelection().toString()')).toBe(key);
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Change how your refresh token may be used' }).click();
    await page.getByLabel('Allowed addresses').fill('my office');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'There is a problem' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Allowed addresses').fill('192.0.2.0/24');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('is not among the allowed ones').waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Make new keys' }).click();
    await page.getByText('in every system that uses it').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make new keys' }).click();
    await page.waitForURL(/\/apikeys\?done=/);
    expect(await page.locator('#refresh-token').inputValue()).not.toBe(key);
    await page.getByRole('link', { name: 'How to connect your own system' }).click();
    await page.getByRole('heading', { name: 'Staying signed in' }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });
});

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readySite } from '../app/ready-site.ts';
import type { SiteProcess } from '../app/site-process.ts';
import { expectAccessible, follow, openBrowser, openWindow, signIn } from './open-browser.ts';

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

/** With SCREENSHOTS=<folder> the pages are kept, to look at. */
async function show(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  await expectAccessible(page);
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  const own = page.viewportSize()!;
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true });
  }
  await page.setViewportSize(own);
}

describe('named keys', () => {
  it('are made, changed, replaced and revoked on accessible pages', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await signIn(page, site.logins.referrer);
    await page.goto('/apikeys');
    await show(page, '1-none');
    await follow(button('Create a named key'));
    await show(page, '2-form');
    await follow(button('Create the key'));
    await show(page, '3-mistakes');
    await page.getByLabel('Name', { exact: true }).fill('Night import');
    await page.getByLabel('referrals:read').check();
    await page.getByLabel('webhooks').check();
    await follow(button('Create the key'));
    await show(page, '4-token');
    const first = await page.locator('#refresh-token').inputValue();
    await follow(button('I have copied it'));
    await show(page, '5-key');
    await follow(button('Make a new refresh token'));
    await page.getByLabel('After 24 hours').check();
    await show(page, '6-regenerate');
    await follow(button('Make a new refresh token'));
    expect(await page.locator('#refresh-token').inputValue()).not.toBe(first);
    await follow(button('I have copied it'));
    await page.getByText('The old refresh token still works').waitFor();
    await show(page, '7-overlap');
    await page.goto('/apikeys');
    await show(page, '8-list');
    await follow(page.getByRole('link', { name: 'Night import' }));
    await follow(button('Revoke this key'));
    await show(page, '9-revoke');
    await follow(button('Revoke the key'));
    await page.getByText('No named keys yet').waitFor();
    await follow(page.getByRole('link', { name: 'failures' }));
    await page.getByLabel('too-many-requests').check();
    await page.getByLabel('On which call').selectOption('createReferral');
    await follow(button('Play it'));
    await page.getByText('on 0 of 1 call').waitFor();
    await show(page, '10-troubles');
    await follow(button('Play it'));
    await show(page, '11-troubles-mistakes');
    expect(complaints).toEqual([]);
    await close();
  });
});

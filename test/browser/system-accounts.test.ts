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

describe('a system account', () => {
  it('is made by an operator and kept by its owner on accessible pages', async () => {
    const operator = await openWindow(browser, site.baseUrl);
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
    await signIn(operator.page, site.logins.operator);
    await operator.page.goto('/operator/accounts');
    await show(operator.page, '1-accounts');
    await follow(button(operator.page, 'Add a system account'));
    await show(operator.page, '2-new');
    await follow(button(operator.page, 'Add the system'));
    await show(operator.page, '3-mistakes');
    await operator.page.getByLabel('Name of the system').fill('EMIS Link');
    await operator.page.getByLabel('Organisation', { exact: true }).fill('Infirmary Lane Surgery');
    await operator.page.getByLabel('Owner’s email address').fill(site.logins.referrer.email);
    await follow(button(operator.page, 'Add the system'));
    await show(operator.page, '4-made');
    const account = new URL(operator.page.url()).pathname;
    await operator.page.goto(`${account}/owner`);
    await show(operator.page, '5-owner');

    const owner = await openWindow(browser, site.baseUrl);
    await signIn(owner.page, site.logins.referrer);
    await owner.page.goto('/apikeys');
    await follow(owner.page.getByRole('link', { name: 'Keys of the system accounts' }));
    await show(owner.page, '6-list');
    await follow(owner.page.getByRole('link', { name: 'EMIS Link' }));
    await show(owner.page, '7-system');
    await follow(button(owner.page, 'Create a named key'));
    await owner.page.getByLabel('Name', { exact: true }).fill('Reception');
    await owner.page.getByLabel('referrals:read').check();
    await follow(button(owner.page, 'Create the key'));
    expect(await owner.page.locator('#refresh-token').inputValue()).toMatch(/^onr_/);
    await show(owner.page, '8-token');
    await owner.page.goto(`/system-accounts/${account.split('/').at(-1)}/owner`);
    await show(owner.page, '9-hand-on');
    expect([...operator.complaints, ...owner.complaints]).toEqual([]);
    await operator.close();
    await owner.close();
  });
});

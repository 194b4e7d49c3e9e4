import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askDatabase } from '../ask-database.ts';
import { readySite } from '../ready-site.ts';
import type { SiteProcess } from '../site-process.ts';
import { expectAccessible, openBrowser, openWindow, signIn } from './open-browser.ts';

let site: SiteProcess;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([readySite(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await site.remove();
});

test.each([
  ['with JavaScript', true],
  ['without', false],
])('a try-out shows its result by itself, %s', async (_, javaScriptEnabled) => {
  const { page, complaints, close } = javaScriptEnabled
    ? await openWindow(browser, site.baseUrl)
    : await openPlainWindow();
  await signIn(page, site.logins.operator);
  await page.goto('/operator/library');
  const service = { id: `x-${javaScriptEnabled}`, name: 'Chess', status: 'active' };
  const buffer = Buffer.from(JSON.stringify(service));
  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'a.json', mimeType: '', buffer });
  await page.getByRole('button', { name: 'Try the file out' }).click();
  const result = page.getByRole('button', { name: 'Import it' });
  await result.waitFor();

  // As if it had only begun, for as long as we want to look at that.
  const become = (state: string) => askDatabase(site, 'update library_imports set state = $1', [state]);
  await become('running');
  await page.reload();
  await page.getByText('This page shows the result when it is there').waitFor();
  if (javaScriptEnabled) await expectAccessible(page);
  await become('done');
  await result.waitFor();
  expect(complaints).toEqual([]);
  await close();
});

/** As people have it who let no scripts run. */
async function openPlainWindow() {
  const context = await browser.newContext({ baseURL: site.baseUrl, javaScriptEnabled: false });
  return { page: await context.newPage(), complaints: [], close: () => context.close() };
}

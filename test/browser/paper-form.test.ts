import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readySite } from '../app/ready-site.ts';
import type { SiteProcess } from '../app/site-process.ts';
import { openBrowser, openWindow, signIn } from './open-browser.ts';

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

describe('the paper form', () => {
  it('prints on one sheet', async () => {
    const { page } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    await page.goto('/paper-form');
    const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true });
    const sides = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
    expect([1, 2]).toContain(sides.length);
  });
});

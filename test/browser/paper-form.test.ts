import { describe, expect, it } from 'vitest';
import { inChromium, openWindow, signIn } from './open-browser.ts';
import { siteInBrowser } from './site-in-browser.ts';

const { site, browser } = await siteInBrowser();

describe('the paper form', inChromium, () => {
  it('prints on the two sides of one sheet', async () => {
    const { page } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    await page.goto('/paper-form');
    const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true });
    const sides = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
    expect([1, 2]).toContain(sides.length);
  });
});

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, follow, inChromium, openWindow } from './open-browser.ts';
import { siteInBrowser } from './site-in-browser.ts';

// Somebody without an account looks for help.

const { site, browser } = await siteInBrowser({ ONWARD_PUBLIC_DIRECTORY: 'true' });

async function smallPhone(): Promise<Page> {
  const viewport = { width: 320, height: 640 };
  const context = await browser.newContext({ baseURL: site.baseUrl, viewport, javaScriptEnabled: false });
  return context.newPage();
}

async function expectToFit(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
}

describe('the public directory', inChromium, () => {
  it('leads from words to a service on a small telephone', async () => {
    const page = await smallPhone();
    await page.goto('/');
    await page.getByRole('main').getByRole('link', { name: 'Find a service' }).click();
    await page.getByLabel('What are you looking for?').fill('befriending');
    await page.getByLabel('Near which postcode?').fill('ZT1 1HW');
    await expectToFit(page);
    await follow(page.getByRole('button', { name: 'Search' }));
    await expectToFit(page);
    await follow(page.getByRole('link', { name: 'Good Company befriending' }));
    await expectToFit(page);
    expect(await page.getByRole('main').innerText()).toContain('01632 960011');
    await follow(page.getByRole('link', { name: 'Find a service' }).last());
    expect(page.url()).toContain('search=befriending');
    await page.context().close();
  });

  it('can be used by everybody, also while somebody types', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl);
    await page.goto('/find?postcode=ZT1+1HW');
    await expectAccessible(page);
    await page.getByLabel('What are you looking for?').fill('want to die');
    await page.getByRole('heading', { name: 'Is somebody in danger now?' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('What are you looking for?').fill('befriend');
    await page.getByRole('heading', { name: /for “befriend”/ }).waitFor();
    expect(await page.getByRole('heading', { name: 'Is somebody in danger now?' }).count()).toBe(0);
    await follow(page.getByRole('link', { name: 'Good Company befriending' }));
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('the page about cookies', inChromium, () => {
  it('shows all of its table on a telephone', async () => {
    const { page, close } = await openWindow(browser, site.baseUrl, 375);
    await page.goto('/cookies');
    const hidden = `(() => { const each = document.querySelector('main .onward-scroll'); return each.scrollWidth - each.clientWidth; })()`;
    expect(await page.evaluate(hidden)).toBe(0);
    await expectAccessible(page);
    await close();
  });
});

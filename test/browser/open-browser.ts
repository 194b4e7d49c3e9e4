import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { chromiumPath } from './chromium.ts';

/** What a browser on a busy machine does in another order than usual gets a second try, which the run’s last lines name. */
export const inChromium = { retry: 1 };

/** A real Chromium. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await chromiumPath();
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ];
  return chromium.launch({ executablePath, headless: true, args });
}

/** The widths of the windows that people have, in pixels. */
const desktop = 1280;
export const phone = 390;
const height = 900;

/** A window of its own. It records every error in the page. */
export async function openWindow(browser: Browser, baseUrl: string, width = desktop) {
  const context = await browser.newContext({ baseURL: baseUrl, viewport: { width, height } });
  // A hang ends here, and nothing else does.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // That an answer was not a success is noted below, with its address.
    const known = message.text().startsWith('Failed to load resource');
    if (!known && ['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && response.status() !== 422)
      complaints.push(`${response.status()} ${response.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(baseUrl) && !request.url().startsWith('data:'))
      complaints.push(`went out to ${request.url()}`);
  });
  return { page, complaints, close: () => context.close() };
}

/** Clicks on what leads to another page, and waits for that: on a busy machine the one before stays for a while. */
export async function follow(leading: Locator): Promise<void> {
  const there = leading.page().waitForEvent('load');
  await leading.click();
  await there;
}

/** What runs in the page: axe itself, rather than its package for Playwright, which loads it twice and opens a second page. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** axe parses the colours of each text and of all that is behind it. On a long page that is a third of its time. */
const rememberColours = `{
  const { prototype } = axe.commons.color.Color;
  const { parseString } = prototype;
  const known = new Map();
  prototype.parseString = function (text) {
    const { r, g, b, alpha } = known.get(text) ?? parseString.call(this, text);
    known.set(text, { r, g, b, alpha });
    return Object.assign(this, { r, g, b, alpha });
  };
}`;

/**
 * Looks at the page as people do who cannot see it well, on a desktop and on a phone, in light and in dark colours: WCAG 2.2
 * AA by axe, and nothing wider than the window. `foreign` is a part that is not ours (Swagger UI) and is left out.
 */
export async function expectAccessible(page: Page, foreign?: string): Promise<void> {
  const ownWidth = page.viewportSize()?.width ?? desktop;
  await page.evaluate(axe + rememberColours);
  // The window's own width and colours come last, so that the page is left as it was.
  for (const width of [ownWidth === phone ? desktop : phone, ownWidth]) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: width === ownWidth ? 'light' : 'dark' });
    await expectAccessibleAsItIs(page, foreign);
  }
}

async function expectAccessibleAsItIs(page: Page, foreign?: string): Promise<void> {
  const rules = [
    'wcag2a',
    'wcag2aa',
    'wcag21a',
    'wcag21aa',
    'wcag22aa',
    ...(foreign ? [] : ['best-practice']),
  ];
  const options = { runOnly: { type: 'tag', values: rules }, resultTypes: ['violations'] };
  const where = { include: ['html'], exclude: foreign ? [foreign] : [] };
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(where)}, ${JSON.stringify(options)})`,
  );
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
  const colours = await page.evaluate<string>(
    "matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'",
  );
  const shown = `${page.url()}, ${page.viewportSize()?.width} pixels wide, ${colours}`;
  expect(found, shown).toEqual([]);
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow, `wider than the window: ${shown}`).toBeLessThanOrEqual(0);
}

/** Expects an accessible page. With SCREENSHOTS=<folder> it is kept in two widths, to look at. */
export async function showPage(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  const own = page.viewportSize()!;
  for (const width of [desktop, 375]) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true });
  }
  await page.setViewportSize(own);
}

export async function signIn(page: Page, login: { email: string; password: string }): Promise<void> {
  await page.goto('/signin');
  await page.getByLabel('Email address').fill(login.email);
  await page.getByLabel('Password').fill(login.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

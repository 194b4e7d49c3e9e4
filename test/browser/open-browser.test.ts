import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, inChromium, openBrowser, openWindow } from './open-browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Whether a page with this in it is accessible. */
async function look(content: string): Promise<string> {
  const { page, close } = await openWindow(browser, 'http://localhost');
  await page.setContent(
    `<!doctype html><html lang="en"><title>A page</title><main style="background: #fff"><h1>A page</h1>${content}</main>`,
  );
  const said = await expectAccessible(page).then(
    () => 'accessible',
    (error: Error) => error.message,
  );
  await close();
  return said;
}

describe('the check that a page is accessible', inChromium, () => {
  it('passes text that can be read', async () => {
    expect(await look('<p style="color: #111">One</p><p style="color: #111">Two</p>')).toBe('accessible');
  });

  it.each([
    ['pale text', 'color-contrast', '<p style="color: #111">One</p><p style="color: #ddd">Two</p>'],
    [
      'text on a dark ground',
      'color-contrast',
      '<div style="background: #222"><p style="color: #111">One</p></div>',
    ],
    ['a field without a label', 'label', '<input>'],
    ['what is wider than a phone', 'wider than the window', '<p style="width: 600px">One</p>'],
  ])('finds %s', async (_what, found, content) => {
    expect(await look(content)).toContain(found);
  });
});

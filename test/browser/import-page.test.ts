import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inDatabaseOf } from '../database/site-database.ts';
import { changeImport, storedImports } from '../library/stored.ts';
import { expectAccessible, inChromium, openWindow, signIn } from './open-browser.ts';
import { siteInBrowser } from './site-in-browser.ts';

const { site, browser } = await siteInBrowser();

describe('the preview of a file', inChromium, () => {
  it.each([
    ['with JavaScript', true],
    ['without', false],
  ])('shows its result by itself, %s', async (_, javaScriptEnabled) => {
    const { page, complaints, close } = javaScriptEnabled
      ? await openWindow(browser, site.baseUrl)
      : await openPlainWindow();
    await signIn(page, site.logins.operator);
    await page.goto('/operator/library');
    const service = { id: `x-${javaScriptEnabled}`, name: 'Chess', status: 'active' };
    const buffer = Buffer.from(JSON.stringify(service));
    await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'a.json', mimeType: '', buffer });
    await page.getByRole('button', { name: 'Preview the file' }).click();
    const result = page.getByRole('button', { name: 'Import', exact: true });
    await result.waitFor();

    // As if the import were still running, so that the page can be seen while it waits.
    const become = (state: string) =>
      inDatabaseOf(site, async ({ db }) => {
        const newest = (await storedImports(db)).at(-1)!;
        await changeImport(db, newest.id, { state });
      });
    await become('running');
    await page.reload();
    await page.getByText('You can leave this page').waitFor();
    if (javaScriptEnabled) await expectAccessible(page);
    await become('done');
    await result.waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('breaks no word in the names of fields, beside long ids', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.operator);
    await page.goto('/operator/library');
    const id = 'a2f0c3d4-'.repeat(8);
    const nameless = Array.from({ length: 6 }, (_, index) => ({ id: `${id}${index}`, status: 'active' }));
    const partly = { id, name: 'Chess', status: 'active', attributes: [{ taxonomy_term: 5 }] };
    const lines = [...nameless, partly].map((record) => JSON.stringify(record));
    const buffer = Buffer.from(lines.join('\n'));
    await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'b.ndjson', mimeType: '', buffer });
    await page.getByRole('button', { name: 'Preview the file' }).click();
    await page.getByRole('heading', { name: '6 records left out' }).waitFor();

    expect(await linesOf(page, '/name')).toEqual([1]);
    expect(await linesOf(page, '/attributes/0/taxonomy_term')).toEqual([1, 1, 1]);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });
});

/** How many lines each part of a field's name takes. */
function linesOf(page: Page, field: string): Promise<number[]> {
  return page.getByText(field, { exact: true }).evaluate((shown) =>
    [...shown.childNodes]
      .filter((part) => part.textContent)
      .map((part) => {
        const range = shown.ownerDocument.createRange();
        range.selectNodeContents(part);
        return range.getClientRects().length;
      }),
  );
}

/** A window of people who block scripts. */
async function openPlainWindow() {
  const context = await browser.newContext({ baseURL: site.baseUrl, javaScriptEnabled: false });
  return { page: await context.newPage(), complaints: [], close: () => context.close() };
}

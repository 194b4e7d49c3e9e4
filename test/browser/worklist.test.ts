import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagesOfPdf } from '../delivery/letters.ts';
import { apiClient, sampleKeys } from '../people/api-client.ts';
import { readySite } from '../process/ready-site.ts';
import type { SiteProcess } from '../process/site-process.ts';
import { expectAccessible, follow, inChromium, openBrowser, openWindow, signIn } from './open-browser.ts';

// A worklist on a phone, by its style sheet alone: what has to fit into the hand of somebody between two visits.

let site: SiteProcess;
let browser: Browser;
let api: ReturnType<typeof apiClient>;
beforeAll(async () => {
  [site, browser] = await Promise.all([readySite(), openBrowser()]);
  api = apiClient(site.baseUrl, (await sampleKeys(site, 'referrer')).access);
  const first = JSON.parse(await readFile('sample/first-referral.json', 'utf8'));
  for (const family_name of ['Example', 'Featherstonehaugh-Cholmondeley']) {
    const patient = { ...first.patient, family_name };
    const { status } = await api.post('/api/referrals', { ...first, patient, contact: { safe: 'yes' } });
    expect(status).toBe(201);
  }
});
afterAll(async () => {
  await browser.close();
  await site.remove();
});

describe('what needs somebody, on the home page of a wide screen', inChromium, () => {
  it('has rows of two lines, with the tags on one', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, 1280);
    await signIn(page, site.logins.provider);
    await page.goto('/');
    const row = page.getByRole('row', { name: 'Margaret Example' });
    expect((await row.boundingBox())!.height).toBeLessThanOrEqual(52);
    expect((await row.locator('.onward-worklist__tags').boundingBox())!.height).toBeLessThanOrEqual(24);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('a worklist on a phone', inChromium, () => {
  it('has short cards, one line of tabs and folded filters', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, 375);
    await signIn(page, site.logins.provider);
    await page.goto('/referrals');
    const heightOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!.height;
    expect(await heightOf('header')).toBeLessThanOrEqual(120);
    expect(await heightOf('tbody tr')).toBeLessThanOrEqual(100);
    expect(await heightOf('.onward-tabs')).toBeLessThanOrEqual(60);
    await expectAccessible(page);

    expect(await page.getByLabel('Urgent', { exact: true }).isVisible()).toBe(false);
    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('Status').selectOption('requested');
    await page.getByLabel('Unread', { exact: true }).check();
    await follow(page.getByRole('button', { name: 'Update list' }));
    expect(await page.locator('.onward-list-filters summary').innerText()).toMatch(/^Filter \(2/);
    expect(await page.getByText('No referrals match').isVisible()).toBe(true);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });

  it('has a menu with lines, and a mark beside this page', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, 375);
    await signIn(page, site.logins.provider);
    await page.goto('/referrals');
    await page.locator('.onward-menu__button').click();
    const items = await page.evaluate<{ height: number; line: string; mark: string; below: string }[]>(
      `[...document.querySelectorAll('.onward-menu li')].map((item) => {
        const mark = getComputedStyle(item.querySelector('a'), '::before')
        return { height: item.offsetHeight, line: getComputedStyle(item).borderTopWidth, mark: mark.borderLeftWidth, below: mark.borderBottomWidth }
      })`,
    );
    expect(items.length).toBeGreaterThan(2);
    for (const { height, line, below } of items) {
      expect([line, below]).toEqual(['1px', '0px']);
      // A finger needs 44 pixels, and a menu of eight fits on the screen.
      expect(height).toBeGreaterThanOrEqual(44);
      expect(height).toBeLessThanOrEqual(52);
    }
    expect(items.filter(({ mark }) => mark === '4px')).toHaveLength(1);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });

  it('is covered once the session has ended', async () => {
    const { page, close } = await openWindow(browser, site.baseUrl, 375);
    await signIn(page, site.logins.provider);
    await page.clock.install();
    await page.goto('/referrals');
    const dialog = page.locator('dialog[data-session-ms]');
    const sessionMs = Number(await dialog.getAttribute('data-session-ms'));
    await page.clock.fastForward(sessionMs - 60_000);
    await page.getByRole('button', { name: 'Stay signed in' }).waitFor();
    await page.clock.fastForward(70_000);
    await page.getByRole('heading', { name: 'You have been signed out' }).waitFor();
    expect(await page.getByRole('button', { name: 'Stay signed in' }).isVisible()).toBe(false);
    const opacity = `getComputedStyle(document.querySelector('dialog[open]'), '::backdrop').opacity`;
    expect(await page.evaluate<string>(opacity)).toBe('1');
    const printed = (await pagesOfPdf(await page.pdf())).join('');
    expect(printed).toContain('You have been signed out');
    expect(printed).not.toContain('Referrals');
    await close();
  });

  it('is covered once somebody signs out in another tab', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, 1280);
    await signIn(page, site.logins.provider);
    await page.goto('/referrals');
    const other = await page.context().newPage();
    await other.goto('/referrals');
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.waitForURL('**/signin');
    await page.getByRole('heading', { name: 'You have been signed out' }).waitFor();
    await page.getByRole('button', { name: 'I have signed in again' }).click();
    await page.getByText('Sign in again, then come back').waitFor();
    expect((await pagesOfPdf(await page.pdf())).join('')).not.toContain('Referrals');
    await signIn(other, site.logins.provider);
    await page.getByRole('button', { name: 'I have signed in again' }).click();
    await page.locator('dialog[data-session-ms]').waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
    await close();
  });

  it('shows the boxes to tick once somebody wants to select', async () => {
    const { page, close } = await openWindow(browser, site.baseUrl, 375);
    await signIn(page, site.logins.provider);
    await page.goto('/referrals?tab=unanswered');
    await follow(page.locator('tbody tr a').first());
    await page.goto('/referrals?tab=unanswered');
    const box = page.locator('.onward-select input:enabled').first();
    expect(await box.isVisible()).toBe(false);
    await page.getByText('Select several').click();
    await box.check();
    await follow(page.getByRole('button', { name: 'Accept selected' }));
    expect(await box.isVisible()).toBe(false);
    await close();
  });

  it('begins with the tab that is open', async () => {
    const { page, close } = await openWindow(browser, site.baseUrl, 375);
    await signIn(page, site.logins.provider);
    await page.goto('/referrals?tab=ended');
    const tab = (await page.locator('.onward-tab--here').boundingBox())!;
    expect([tab.x >= 0, tab.x + tab.width <= 375]).toEqual([true, true]);
    await close();
  });

  it('leaves each cell of the operators’ tables room for its words', async () => {
    const bounced = JSON.parse(await readFile('sample/first-referral.json', 'utf8'));
    const patient = { ...bounced.patient, family_name: 'Bounced' };
    await api.post('/api/referrals', { ...bounced, patient, allow_duplicate: true });
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, 375);
    await signIn(page, site.logins.operator);
    await expect
      .poll(() => page.goto('/operator/deliveries?show=all').then(() => page.locator('tbody tr').count()))
      .toBeGreaterThan(0);
    for (const path of ['/operator/deliveries', '/operator/deliveries?show=all', '/operator/settings']) {
      await page.goto(path);
      const narrow = await page.evaluate(
        "[...document.querySelectorAll('td')].filter((cell) => cell.innerText.length > 20 && cell.offsetWidth > 0 && cell.offsetWidth < 150).map((cell) => cell.innerText)",
      );
      expect(narrow, path).toEqual([]);
      await expectAccessible(page);
    }
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('the page of a referral, printed', inChromium, () => {
  it('shows who was told and the history, and nothing private', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, 1280);
    await signIn(page, site.logins.provider);
    await page.goto('/referrals');
    await follow(page.getByRole('link', { name: 'Margaret Example' }));
    await page.getByText('Add a private note').click();
    await page.getByLabel('Note', { exact: true }).fill('She sounds tired.');
    await follow(page.getByRole('button', { name: 'Save the note' }));
    await page.emulateMedia({ media: 'print' });
    const isShown = (name: string) => page.getByRole('heading', { name, exact: true }).isVisible();
    for (const heading of ['The person', 'The referral', 'Who has been told', 'History'])
      expect(await isShown(heading), heading).toBe(true);
    const frame = `getComputedStyle(document.querySelector('main .nhsuk-tag')).borderTopWidth`;
    expect(await page.evaluate<string>(frame)).toBe('0px');
    const printed = (await pagesOfPdf(await page.pdf())).join(' ').replaceAll(/\s+/g, ' ');
    expect(printed).toContain('Who has been told');
    expect(printed).not.toMatch(/sounds tired|Decline the referral|Attach a file/);
    expect(complaints).toEqual([]);
    await close();
  });
});

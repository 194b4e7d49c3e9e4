import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readySite } from '../app/ready-site.ts';
import type { SiteProcess } from '../app/site-process.ts';
import { expectAccessible, follow, openBrowser, openWindow, phone, signIn } from './open-browser.ts';

// A link worker looks for something near somebody, also on a map, saves it for the surgery and prints it.

let site: SiteProcess;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([readySite(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await site.remove();
});

describe('the search page', () => {
  it('follows what is typed, and so does its address', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    await page.goto('/services');
    await page.getByLabel('What are you looking for?').fill('befriend');
    await page.getByRole('heading', { name: /services for “befriend”/ }).waitFor();
    expect(page.url()).toContain('search=befriend');
    await page.getByLabel(/^Saturday/).check();
    await page.getByRole('link', { name: 'Remove Open on Saturday' }).waitFor();
    await page.getByRole('link', { name: 'Remove Open on Saturday' }).click();
    await page.getByRole('link', { name: 'Remove “befriend”' }).waitFor();
    expect(page.url()).not.toContain('day=');
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('the comparison', () => {
  it('has what was ticked, also before the filters changed', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    await page.goto('/services?postcode=ZT1+1HW');
    await page.getByLabel('Compare Good Company befriending').check();
    await page.getByLabel('What are you looking for?').fill('lunch');
    await page.getByRole('link', { name: 'Remove “lunch”' }).waitFor();
    await page.getByLabel('Compare The Wednesday Table lunch club').check();
    await follow(page.getByRole('button', { name: 'Compare (2)' }));
    await page.getByRole('columnheader', { name: /Good Company befriending/ }).waitFor();
    await page.getByRole('columnheader', { name: /The Wednesday Table/ }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('the map, a saved list and the hand-out', () => {
  it('work and are accessible', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, phone);
    await signIn(page, site.logins.referrer);
    await page.goto('/services?search=lunch&postcode=ZT1+3GH&day=WE&age=70');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Show a map' }).click();
    await page.getByRole('img', { name: /Map of these services/ }).waitFor();
    await expectAccessible(page);
    await page.goto('/services?search=lunch&age=3&day=SU');
    await page.getByText('without').first().waitFor();
    await expectAccessible(page);

    await page.goto('/services?search=lunch&postcode=ZT1+3GH');
    await follow(page.getByRole('link', { name: /^Add to a list ?: The Wednesday Table/ }));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save the service' }).click();
    await page.locator('.nhsuk-error-summary:focus').waitFor();
    await expectAccessible(page);
    const chooses = page.getByLabel('A new list');
    if ((await chooses.count()) > 0) await chooses.check();
    await page.getByLabel('What the new list is for').fill('Lunches');
    await page.getByRole('button', { name: 'Save the service' }).click();
    await page.getByText('The service was added to this list.').waitFor();
    await expectAccessible(page);
    await page.goto('/lists');
    await expectAccessible(page);

    await page.goto('/services?search=lunch&postcode=ZT1+3GH');
    await page.getByRole('link', { name: 'The Wednesday Table lunch club', exact: true }).click();
    await page.getByRole('button', { name: 'Print this page' }).waitFor();
    await expectAccessible(page);
    expect(await page.getByLabel('Address of this page').inputValue()).not.toContain('ZT1');
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['.nhsuk-header', '.nhsuk-footer', '.onward-test-banner', '#share'])
      expect(await page.locator(hidden).isVisible(), hidden).toBe(false);
    expect(await page.getByText(/Printed on/).isVisible()).toBe(true);
    const sizeOf = (part: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(part)})).fontSize`);
    expect(await sizeOf('main li .nhsuk-body-s')).toBe(await sizeOf('main p'));
    expect(await page.getByRole('heading', { name: 'How to get in touch' }).isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('a provider’s list of services', () => {
  it('stays in its window with one endless word', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, phone);
    await signIn(page, site.logins.provider);
    await page.goto('/library');
    await follow(page.getByRole('link', { name: 'Good Company befriending', exact: true }));
    await page.getByLabel(/How long people wait/).fill('x'.repeat(200));
    await follow(page.getByRole('button', { name: 'Has a waiting list' }));
    await page.goto('/library');
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });
});

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { follow, inChromium, openWindow, showPage, signIn } from './open-browser.ts';
import { siteInBrowser } from './site-in-browser.ts';

const { site, browser } = await siteInBrowser();

describe('a system account', inChromium, () => {
  it('has accessible pages for operators and for its owner', async () => {
    const operator = await openWindow(browser, site.baseUrl);
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
    await signIn(operator.page, site.logins.operator);
    await operator.page.goto('/operator/accounts');
    await showPage(operator.page, '1-accounts');
    await follow(button(operator.page, 'Add a system account'));
    await showPage(operator.page, '2-new');
    await follow(button(operator.page, 'Add the system'));
    await showPage(operator.page, '3-mistakes');
    await operator.page.getByLabel('Name of the system').fill('EMIS Link');
    await operator.page.getByLabel('Organisation', { exact: true }).fill('Infirmary Lane Surgery');
    await operator.page.getByLabel('Owner’s email address').fill(site.logins.referrer.email);
    await follow(button(operator.page, 'Add the system'));
    await showPage(operator.page, '4-made');
    const account = new URL(operator.page.url()).pathname;
    await operator.page.goto(`${account}/owner`);
    await showPage(operator.page, '5-owner');

    const owner = await openWindow(browser, site.baseUrl);
    await signIn(owner.page, site.logins.referrer);
    await owner.page.goto('/apikeys');
    await follow(owner.page.getByRole('link', { name: 'Keys of the system accounts' }));
    await showPage(owner.page, '6-list');
    await follow(owner.page.getByRole('link', { name: 'EMIS Link' }));
    await showPage(owner.page, '7-system');
    await follow(button(owner.page, 'Create a named key'));
    await owner.page.getByLabel('Name', { exact: true }).fill('Reception');
    await owner.page.getByLabel('referrals:read').check();
    await follow(button(owner.page, 'Create the key'));
    expect(await owner.page.locator('#refresh-token').inputValue()).toMatch(/^onr_/);
    await showPage(owner.page, '8-token');
    await owner.page.goto(`/system-accounts/${account.split('/').at(-1)}/owner`);
    await showPage(owner.page, '9-hand-on');
    expect([...operator.complaints, ...owner.complaints]).toEqual([]);
    await operator.close();
    await owner.close();
  });
});

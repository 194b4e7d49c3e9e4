import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiClient, copyKeys } from '../people/api-client.ts';
import { pageVisitor } from '../people/page-visitor.ts';
import { follow, inChromium, openWindow, signIn } from './open-browser.ts';
import { siteInBrowser } from './site-in-browser.ts';

// What somebody has typed on the page of a referral is neither lost without a question nor sent twice.

const { site, browser } = await siteInBrowser();
const person = pageVisitor(site.baseUrl);
await person.signIn(site.logins.referrer);
const api = apiClient(site.baseUrl, (await copyKeys(person)).access);

let people = 0;
async function referralPath(): Promise<string> {
  people += 1;
  const first = JSON.parse(await readFile('sample/first-referral.json', 'utf8'));
  const patient = { ...first.patient, family_name: `Unsent ${people}` };
  const { status, body } = await api.post('/api/referrals', { ...first, patient, contact: { safe: 'yes' } });
  expect(status).toBe(201);
  return `/referrals/${body.id}`;
}

async function openReferral(who: keyof typeof site.logins, query = '') {
  const path = await referralPath();
  const opened = await openWindow(browser, site.baseUrl);
  await signIn(opened.page, site.logins[who]);
  await opened.page.goto(path + query);
  return { ...opened, path };
}

const messagesOn = (page: Page) => page.locator('.onward-thread__text').allInnerTexts();
const text = 'She prefers mornings.';

describe('text on the page of a referral', inChromium, () => {
  it('makes the browser ask before the page is left, in each form', async () => {
    const { page, path, close } = await openReferral('provider', '?open=message');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      return dialog.dismiss();
    });
    const leave = () => page.getByRole('link', { name: 'All referrals' }).click({ noWaitAfter: true });
    await page.getByLabel('Your message').fill(text);
    await leave();
    await expect.poll(() => asked).toEqual(['beforeunload']);
    expect(await page.getByLabel('Your message').inputValue()).toBe(text);
    await page.getByLabel('Your message').fill('');
    await page.getByText('Add a private note').click();
    await page.getByLabel('Note', { exact: true }).fill(text);
    await leave();
    await expect.poll(() => asked).toHaveLength(2);
    await page.getByLabel('Note', { exact: true }).fill('');
    await page.goto(`${path}/reject`);
    await page.getByLabel('Tell the referrer').fill(text);
    await page.getByRole('link', { name: 'Back to the referral' }).click({ noWaitAfter: true });
    await expect.poll(() => asked).toHaveLength(3);
    // What is sent is not asked about.
    await page.getByLabel('The service is full at present').check();
    await follow(page.getByRole('button', { name: 'Decline the referral' }));
    await page.getByText('You declined the referral, and the referrer is told').first().waitFor();
    // A reload does not say it again.
    await expect.poll(() => page.url()).not.toContain('done=');
    expect(asked).toHaveLength(3);
    await close();
  });

  it('is sent once by a double click, and not again after Back', async () => {
    const { page, path, close } = await openReferral('provider', '?open=message');
    await page.getByLabel('Your message').fill(text);
    await page.getByRole('button', { name: 'Send the message' }).dblclick();
    await page.getByText('Your message was sent').waitFor();
    expect(await messagesOn(page)).toEqual([text]);
    await page.goBack();
    await page.goto(path);
    expect(await messagesOn(page)).toEqual([text]);
    await page.getByText('Add a private note').click();
    await page.getByLabel('Note', { exact: true }).fill('She sounds tired.');
    await page.getByRole('button', { name: 'Save the note' }).dblclick();
    await page.getByText('The note was saved').waitFor();
    expect(await page.getByText('She sounds tired.').count()).toBe(1);
    await page.getByRole('button', { name: 'Accept the referral' }).dblclick();
    await page.getByText('You accepted the referral').waitFor();
    await page.getByRole('button', { name: 'Start supporting the person' }).dblclick();
    await page.getByText('You started to support the person').waitFor();
    expect(await page.locator('.onward-timeline strong', { hasText: /^Accepted$/ }).count()).toBe(1);
    await close();
  });

  it('is still there after signing in again', async () => {
    const { page, path, close } = await openReferral('referrer', '?open=message');
    await page.getByLabel('Your message').fill(text);
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Send the message' }).click();
    await page.getByText('What you wrote is kept on this page').waitFor();
    const other = await page.context().newPage();
    await signIn(other, site.logins.referrer);
    await follow(page.getByRole('button', { name: 'Send it again' }));
    await page.goto(path);
    expect(await messagesOn(page)).toEqual([text]);
    await close();
  });
});

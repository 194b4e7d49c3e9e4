import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFixture } from '../delivery/answer-fixture.ts';
import { setServiceAddress } from '../delivery/receivers.ts';
import { mailsTo } from '../network/mailbox.ts';
import { storedReferral } from '../referrals/stored.ts';
import { follow, inChromium, openBrowser } from './open-browser.ts';

const { site, place, refer, linkOf } = await answerFixture();
afterAll(() => site.close());
const codes = 'office@footpath-friends.example.org';

let browser: Browser;
let baseURL: string;
beforeAll(async () => {
  await setServiceAddress(site.deps.db, {
    serviceId: place.serviceId,
    channel: 'code_email',
    address: codes,
  });
  baseURL = await site.app.listen({ host: '127.0.0.1', port: 0 });
  browser = await openBrowser();
});
afterAll(() => browser.close());

const press = (page: Page, name: string) => follow(page.getByRole('button', { name, exact: true }));
const tap = (page: Page, name: string) => follow(page.getByRole('link', { name, exact: true }));

/** A small telephone whose browser runs no scripts. */
async function smallPhone(): Promise<Page> {
  const viewport = { width: 320, height: 640 };
  return (await browser.newContext({ baseURL, viewport, javaScriptEnabled: false })).newPage();
}
async function expectToFit(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
}

describe('a charity on a small telephone without JavaScript', inChromium, () => {
  it('accepts in three taps from the email, completes with a code', async () => {
    const { id } = await refer();
    const page = await smallPhone();
    // The first tap is the link in the email.
    await page.goto((await linkOf(id))!);
    await expectToFit(page);
    await page.getByLabel('Your name').fill('Rosa Reed');
    await page.getByLabel('Your role').fill('Duty manager');
    await page.getByLabel('Accept', { exact: true }).check();
    await press(page, 'Send answer');
    expect((await storedReferral(site.deps.db, id)).status).toBe('accepted');

    await press(page, 'Send me a code');
    await expectToFit(page);
    const [mail] = await mailsTo(site, codes);
    await page.getByLabel('Code', { exact: true }).fill(/^\d{6}/.exec(mail!.text)![0]);
    await page.getByLabel('Your name').fill('Rosa Reed');
    await page.getByLabel('Your role').fill('Duty manager');
    await press(page, 'Open the referral');
    await expectToFit(page);
    expect(await page.locator('main').innerText()).toContain('Mill Lane');

    await tap(page, 'Log a contact with the person');
    await expectToFit(page);
    await press(page, 'I reached the person');
    await tap(page, 'Book an appointment');
    await expectToFit(page);
    await page.getByLabel('When', { exact: true }).fill('2026-12-01T10:30');
    await press(page, 'Book the appointment');
    await tap(page, 'Set goals, and say which were met');
    await expectToFit(page);
    await page.getByLabel('Goal 1, in the person’s own words').fill('To walk again');
    await press(page, 'Save the goals');
    await tap(page, 'Add a measure');
    await expectToFit(page);
    await page.getByLabel('At the start').check();
    await page.getByLabel('Score', { exact: true }).fill('3');
    await page.getByLabel('The person', { exact: true }).check();
    await press(page, 'Add the measure');
    await tap(page, 'Attach a file');
    await expectToFit(page);
    const plan = { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 The plan.') };
    await page.getByLabel('File', { exact: true }).setInputFiles(plan);
    await press(page, 'Send file');
    await expectToFit(page);
    expect(await page.locator('main').innerText()).toContain('plan.pdf');
    await tap(page, 'Complete the referral');
    await expectToFit(page);
    await page.getByLabel('Outcome', { exact: true }).selectOption({ index: 1 });
    await page.getByLabel('What changed for the person?').fill('She walks each week.');
    await page.locator('#gp_needed').check();
    await press(page, 'Complete the referral');
    await expectToFit(page);
    expect(await page.locator('main').innerText()).toContain('You completed the referral');
    expect((await storedReferral(site.deps.db, id)).status).toBe('completed');
    await page.context().close();
  });
});

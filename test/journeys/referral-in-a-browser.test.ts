import { describe, expect, it } from 'vitest';
import { expectAccessible, follow, openWindow, phone, signIn } from '../browser/open-browser.ts';
import { answerSafetyQuestions } from '../browser/referral-questions.ts';
import { siteInBrowser } from '../browser/site-in-browser.ts';

// The shortest road in a real Chromium, for every day: everything that all pages share runs here once. The other pages
// and whole journeys in Chromium are in `test/browser/`.

const { site, browser } = await siteInBrowser();

describe('a link worker with a telephone', () => {
  it('finds a service, refers somebody, and reads whose turn it is', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, phone);
    await signIn(page, site.logins.referrer);
    await page.goto('/services?postcode=ZT1+3GH');
    await page.getByText('Search: all services near ZT1 3GH').click();
    await page.getByLabel('What are you looking for?').fill('befriend');
    await page.getByRole('heading', { name: /services for “befriend”/ }).waitFor();
    await follow(page.getByRole('link', { name: 'Make a referral to Good Company befriending' }));
    await expectAccessible(page);
    await page.getByLabel('First name', { exact: true }).fill('Edwin');
    await page.getByLabel('Last name', { exact: true }).fill('Everyman');
    const birth = page.getByRole('group', { name: 'Date of birth' });
    for (const [part, value] of [
      ['Day', '4'],
      ['Month', '7'],
      ['Year', '1944'],
    ] as const)
      await birth.getByLabel(part, { exact: true }).fill(value);
    await page.getByLabel('Address line 1', { exact: true }).fill('4 Mill Lane');
    await page.getByLabel('Another practice').check();
    await page.getByLabel('Code of the GP practice').fill('Z99002');
    // The choices move what stands below them, so a click before that would miss.
    await page.getByText('to choose from').first().waitFor({ state: 'attached' });
    await page.getByLabel('Why are you referring this person?').fill('He has nobody to talk to.');
    await answerSafetyQuestions(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Send the referral' }).click();
    await page.waitForURL(/\/referrals\/[0-9a-f-]{36}\?done=sent$/);
    const sent = page.url().split('?')[0]!;
    const waiting = page.getByText('Waiting for The Weir House Trust to answer');
    await expect.poll(() => page.goto(sent).then(() => waiting.isVisible())).toBe(true);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });
});

import type { Page } from 'playwright-core';

/** On the form for a referral: it is routine and nobody is at risk, the person agrees to all of it, and any contact is safe. */
export async function answerSafetyQuestions(page: Page): Promise<void> {
  await page.getByLabel('Routine', { exact: true }).check();
  await page.locator('input[name="risk"][value="no"]').check();
  await page.locator('input[name="agreement_basis"]').first().check();
  await page.locator('input[name="share_with_gp"]').first().check();
  await page.locator('input[name="contact_safe"][value="yes"]').check();
}

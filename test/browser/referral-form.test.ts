import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, follow, inChromium, openWindow, signIn } from './open-browser.ts';
import { siteInBrowser } from './site-in-browser.ts';

const { site, browser } = await siteInBrowser();

const befriending = 'Good Company befriending';

/** As somebody comes to the form: from a search with a postcode and an age. */
async function openForm(page: Page): Promise<void> {
  await page.goto('/services?search=befriending&postcode=ZT1+3GH&age=79');
  await follow(page.getByRole('link', { name: `Make a referral to ${befriending}` }));
}

async function aReferrer({ clock = true } = {}) {
  const window = await openWindow(browser, site.baseUrl);
  const asked: string[] = [];
  window.page.on('dialog', async (dialog) => {
    asked.push(dialog.type());
    await dialog.accept();
  });
  if (clock) await window.page.clock.install();
  await signIn(window.page, site.logins.referrer);
  return { ...window, asked };
}

/** The texts and fields of the form that the note lies over. */
const coveredByNote = `(() => {
  const shown = document.querySelector('.onward-saved-note');
  // The widest time of day.
  shown.textContent = 'Saved 10:48pm';
  const note = shown.getBoundingClientRect();
  const parts = [...document.querySelectorAll('#referral :is(input, label, h2, p, .nhsuk-hint)')];
  return parts
    .filter((part) => !part.matches('.onward-saved-note') && part.checkVisibility())
    .filter((part) => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      return left < note.right && right > note.left && top < note.bottom && bottom > note.top;
    })
    .map((part) => part.textContent || part.name);
})()`;

/** Ten seconds later, or sooner: on a slow machine the form has saved itself before, between two lines of a test. */
async function untilSaved(page: Page, says = /^Saved /): Promise<void> {
  await page.clock.fastForward(10_000);
  await page.locator('#saved').filter({ hasText: says }).waitFor();
}

describe('the form of a referral', inChromium, () => {
  it('is short at first, knows the search, and shows the service', async () => {
    const { page, complaints, close } = await aReferrer({ clock: false });
    await openForm(page);
    expect(await page.getByLabel('Postcode').inputValue()).toBe('ZT1 3GH');
    expect(await page.getByText('Born in 1946 or 1947').count()).toBe(1);
    const height = await page.evaluate('document.documentElement.scrollHeight');
    expect(height).toBeLessThan(2500);
    const facts = await page.getByRole('complementary').boundingBox();
    const form = await page.locator('#referral').boundingBox();
    expect(facts!.x).toBeGreaterThan(form!.x + form!.width);
    await expectAccessible(page);
    await page.setViewportSize({ width: 375, height: 740 });
    const folded = await page.locator('.onward-beside__folded').boundingBox();
    expect(folded!.height, 'one line on a phone').toBeLessThan(60);
    expect(await page.getByRole('complementary').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollHeight'), 'on a phone').toBeLessThan(2500);
    expect(complaints).toEqual([]);
    await close();
  });

  it('saves itself every ten seconds, and is found again', async () => {
    const { page, asked, complaints, close } = await aReferrer();
    await openForm(page);
    await page.getByLabel('First name').fill('Margaret');
    await page.getByLabel('Last name').fill('Autosaved');
    await page.getByLabel('NHS number').fill('999');
    await untilSaved(page, /^Saved .*[ap]m, without what is not complete: NHS number$/);
    expect(page.url()).toMatch(/\/referrals\/[\w-]+\/edit$/);
    await page.getByLabel('NHS number').fill('');
    await page.getByLabel('Why are you referring').fill('She is lonely.');
    expect(await page.evaluate('document.activeElement.id')).toBe('reasons');
    await untilSaved(page, /^Saved \S+[ap]m$/);
    expect(await page.evaluate('document.activeElement.id'), 'the focus stays').toBe('reasons');
    await expectAccessible(page);
    await page.goto('/referrals?view=made&tab=drafts');
    expect(asked, 'it is saved').toEqual([]);
    await follow(page.getByRole('link', { name: /Margaret Autosaved/ }));
    expect(await page.getByText('She is lonely.').count()).toBe(1);
    expect(complaints).toEqual([]);
    await close();
  });

  it('saves itself when it is left', async () => {
    const { page, asked, close } = await aReferrer();
    await openForm(page);
    await page.getByLabel('First name').fill('Left');
    await page.getByLabel('Last name').fill('In the middle');
    await page.goto('/referrals');
    expect(asked).toEqual([]);
    await expect
      .poll(async () => {
        await page.goto('/referrals?view=made&tab=drafts');
        return page.getByRole('link', { name: /Left In the middle/ }).count();
      })
      .toBe(1);
    await close();
  });

  it('is not overwritten by a second window', async () => {
    const { page, asked, close } = await aReferrer();
    await openForm(page);
    await page.getByLabel('Last name').fill('In two windows');
    await untilSaved(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByLabel('First name').fill('Second');
    await follow(other.getByRole('button', { name: 'Save as a draft' }));
    await page.getByLabel('First name').fill('First');
    await page.clock.fastForward(10_000);
    const said = page.locator('#saved').filter({ hasText: 'changed somewhere else' });
    await said.waitFor();
    await follow(page.getByRole('button', { name: 'Save as a draft' }));
    expect(await page.locator('.nhsuk-error-summary').innerText()).toContain('changed somewhere else');
    expect(await page.getByLabel('First name').inputValue()).toBe('First');
    await expectAccessible(page);
    await follow(page.getByRole('button', { name: 'Replace the saved draft with this page' }));
    expect(await page.getByText('First In two windows').count()).toBeGreaterThan(0);
    expect(asked).toEqual([]);
    await close();
  });

  it('loses nothing when the session has ended', async () => {
    const { page, close } = await aReferrer();
    await openForm(page);
    await page.getByLabel('Last name').fill('Signed out');
    await page.context().clearCookies();
    await page.clock.fastForward(10_000);
    await page.locator('#saved').filter({ hasText: 'you are signed out' }).waitFor();
    await follow(page.getByRole('button', { name: 'Save as a draft' }));
    expect(await page.locator('main').innerText()).toContain('sign');
    await close();
  });

  it('finds the practice while somebody types, by keyboard alone', async () => {
    const { page, complaints, close } = await aReferrer({ clock: false });
    await openForm(page);
    await page.getByLabel('Infirmary Lane Surgery (yours)').focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.getByLabel('Another practice').isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.type('surgery');
    const offered = page.locator('[name=gp_choice]');
    await offered.first().waitFor();
    expect(await page.locator('#gp_says').innerText()).toMatch(/to choose from/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await offered.first().isChecked()).toBe(true);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });

  it.each([1280, 375])('says that it was saved where it covers nothing, at %i pixels', async (width) => {
    const { page, close } = await aReferrer();
    await page.setViewportSize({ width, height: 700 });
    await openForm(page);
    await page.getByLabel('First name').fill('Margaret');
    for (const answer of ['contact_safe][value=yes', 'share_with_gp][value=yes', 'risk][value=no']) {
      await page.locator(`[name=${answer}]`).check();
      await untilSaved(page);
      expect(await page.locator('.onward-saved-note').innerText()).toMatch(/^Saved /);
      expect(await page.evaluate(coveredByNote)).toEqual([]);
    }
    await close();
  });

  it('hides nothing that was typed for another answer', async () => {
    const { page, close } = await aReferrer({ clock: false });
    await openForm(page);
    await page.getByLabel('Last name').fill('Another answer');
    await page.getByLabel('Somebody else agreed or decided').check();
    await page.getByLabel('The child agrees').check();
    await page.getByLabel('Who judged that?').fill('Dr Hale');
    await page.locator('[name=risk][value=yes]').check();
    await page.getByLabel('If yes, whom have you told?').fill('The duty social worker');
    await page.getByLabel('Yes, the person agrees').check();
    await page.locator('[name=risk][value=no]').check();
    expect(await page.getByLabel('Who judged that?').isVisible()).toBe(false);
    await follow(page.getByRole('button', { name: 'Continue' }).last());
    expect(await page.getByLabel('Yes, the person agrees').isChecked()).toBe(true);
    for (const label of ['Who judged that?', 'If yes, whom have you told?'])
      expect(await page.getByLabel(label).isVisible(), label).toBe(true);
    expect(await page.getByLabel('Who was asked before?').isVisible(), 'nothing was typed there').toBe(false);
    await expectAccessible(page);
    await close();
  });

  it('is filled in and sent without JavaScript', async () => {
    const context = await browser.newContext({ baseURL: site.baseUrl, javaScriptEnabled: false });
    const page = await context.newPage();
    await signIn(page, site.logins.referrer);
    await openForm(page);
    await page.getByLabel('First name').fill('Margaret');
    await page.getByLabel('Last name').fill('Plain');
    for (const [label, value] of Object.entries({ Day: '9', Month: '3', Year: '1947' }))
      await page.getByLabel(label, { exact: true }).first().fill(value);
    await page.getByLabel('Address line 1').fill('4 Mill Lane');
    await page.getByLabel('Why are you referring').fill('She is lonely.');
    await page.locator('[name=contact_safe][value=yes]').check();
    await page.getByLabel('Another practice').check();
    await page.getByLabel('Name or code of the GP practice').fill('surgery');
    await follow(page.getByRole('button', { name: 'Find the practice' }));
    expect(await page.getByLabel('Last name').inputValue()).toBe('Plain');
    await page.locator('[name=gp_choice]').first().check();
    for (const answer of ['urgency][value=routine', 'risk][value=no', 'share_with_gp][value=yes'])
      await page.locator(`[name=${answer}]`).check();
    await page.getByLabel('Yes, the person agrees').check();
    await follow(page.getByRole('button', { name: 'Continue' }).last());
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('Check before you send');
    expect(new URL(page.url()).pathname).toMatch(/^\/referrals\/[0-9a-f-]{36}\/check$/);
    await follow(page.getByRole('button', { name: 'Send the referral' }));
    expect(await page.locator('main').innerText()).toContain('Margaret Plain');
    await page.goBack();
    expect(await page.locator('main').innerText()).toContain('This referral was sent at');
    await context.close();
  });
});

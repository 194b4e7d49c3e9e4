import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { aTestNhsNumber } from '../app/builders.ts';
import { until } from '../app/until.ts';
import { apiClient, copyKeys } from '../people/api-client.ts';
import { pageVisitor } from '../people/page-visitor.ts';
import { expectAccessible, follow, inChromium, openWindow, phone, signIn } from './open-browser.ts';
import { answerSafetyQuestions } from './referral-questions.ts';
import { siteInBrowser } from './site-in-browser.ts';

// A link worker's minute in a real browser: find a service, refer, and see the referral accepted, completed and
// reported to the practice. Every page is checked against WCAG 2.2 AA, at the width of a desktop and of a phone.

const { site, browser } = await siteInBrowser();
const person = pageVisitor(site.baseUrl);
await person.signIn(site.logins.referrer);
const api = apiClient(site.baseUrl, (await copyKeys(person)).access);

describe('a link worker', inChromium, () => {
  it('refers somebody and sees the practice’s letter', async () => {
    const referrer = await openWindow(browser, site.baseUrl, phone);
    const { page } = referrer;
    await page.goto('/');
    await expectAccessible(page);
    await page.goto('/signin');
    await expectAccessible(page);
    await signIn(page, site.logins.referrer);
    await expectAccessible(page);

    await page.goto('/services');
    await page.getByLabel('What are you looking for?').fill('befriending');
    await follow(page.getByRole('button', { name: 'Search' }));
    await expectAccessible(page);
    await follow(page.getByRole('link', { name: 'Good Company befriending' }).first());
    await expectAccessible(page);
    await follow(page.getByRole('link', { name: 'Make a referral' }));
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'There is a problem' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('First name', { exact: true }).fill('Edwin');
    await page.getByLabel('Last name', { exact: true }).fill('Everyman');
    const birth = page.getByRole('group', { name: 'Date of birth' });
    await birth.getByLabel('Day', { exact: true }).fill('4');
    await birth.getByLabel('Month', { exact: true }).fill('7');
    await birth.getByLabel('Year', { exact: true }).fill('1944');
    const practiceTask = page.getByLabel('What does the practice need to do?');
    expect(await practiceTask.isVisible(), 'before yes is chosen').toBe(false);
    await page.getByText('Tasks for the practice').click();
    const anyTask = page.getByRole('group', { name: 'Does the practice have to do anything now?' });
    await anyTask.getByLabel('Yes', { exact: true }).first().check();
    expect(await practiceTask.isVisible()).toBe(true);
    await anyTask.getByLabel('No', { exact: true }).first().check();
    await page.getByLabel('Address line 1', { exact: true }).fill('4 Mill Lane');
    await page.getByLabel('Postcode', { exact: true }).fill('ZT1 3GH');
    await page.getByLabel('Another practice').check();
    await page.getByLabel('Code of the GP practice').fill('Z99002');
    // The choices move what stands below them, so a click before that would miss.
    await page.getByText('to choose from').first().waitFor({ state: 'attached' });
    await page
      .getByLabel('Why are you referring this person?')
      .fill('He has nobody to talk to since he moved here.');
    await answerSafetyQuestions(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Check before you send' }).waitFor();
    await page.getByText('4 July 1944').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send the referral' }).click();
    await page.waitForURL(/\/referrals\/[0-9a-f-]{36}\?done=sent$/);
    await expectAccessible(page);
    const address = page.url().split('?')[0]!;
    // Whose turn it is, as the referrer reads it at each moment.
    const turn = async (words: string) => {
      await until(async () => {
        await page.goto(address);
        return page.getByText(words).isVisible();
      });
      await expectAccessible(page);
    };
    await turn('Waiting for The Weir House Trust to answer');
    await page.goto('/referrals');
    await expectAccessible(page);

    const provider = await openWindow(browser, site.baseUrl, phone);
    await signIn(provider.page, site.logins.provider);
    await provider.page.goto('/referrals');
    await expectAccessible(provider.page);
    await provider.page.goto(address);
    await follow(provider.page.getByRole('button', { name: 'Accept the referral' }));
    await expectAccessible(provider.page);
    // One press opens the window to choose a file. A wrong one can be changed, because nothing is sent before the second press.
    const chooser = provider.page.waitForEvent('filechooser');
    await provider.page.getByText('Attach a file').click();
    const buffer = Buffer.from('%PDF-1.4\n%%EOF\n');
    await (await chooser).setFiles({ name: 'wrong.pdf', mimeType: 'application/pdf', buffer });
    await provider.page.getByText('Not sent yet: wrong.pdf, 1 KB').waitFor();
    await provider.page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'plan.pdf', mimeType: 'application/pdf', buffer });
    await provider.page.getByText('Not sent yet: plan.pdf, 1 KB').waitFor();
    await expectAccessible(provider.page);
    await follow(provider.page.getByRole('button', { name: 'Send file' }));
    await provider.page.getByRole('link', { name: 'plan.pdf' }).waitFor();
    expect(await provider.page.getByText('wrong.pdf').count()).toBe(0);
    await turn('Waiting for The Weir House Trust to contact the person');
    // The other actions are folded away.
    await provider.page.locator('.onward-case-more summary').click();
    await follow(provider.page.getByRole('link', { name: 'Complete the referral' }));
    await expectAccessible(provider.page);
    await provider.page.getByLabel('Outcome').selectOption({ index: 1 });
    await provider.page.getByLabel('What changed for the person?').fill('He comes every Thursday.');
    await provider.page
      .getByRole('group', { name: 'Does the GP practice have to do anything?' })
      .getByLabel('No', { exact: true })
      .first()
      .check();
    await provider.page.getByRole('button', { name: 'Complete the referral' }).click();
    await provider.page.getByText('Completed').first().waitFor();
    await turn('Nothing more to do');
    // On a phone it is folded.
    await page.locator('summary', { hasText: 'Who has been told' }).click();
    await page.getByText('Tolbooth Medical Practice, about how it ended').waitFor();

    await expect
      .poll(() => page.goto('/outbox').then(() => page.getByText('Tolbooth Medical Practice').count()))
      .toBeGreaterThanOrEqual(2);
    await expectAccessible(page);
    // A slow run has emails above it, which have no letter.
    const toPractice = page.locator('main tr').filter({ hasText: 'Tolbooth Medical Practice' });
    await follow(toPractice.locator('a[href^="/outbox/"]').first());
    await expectAccessible(page);
    const letter = page.waitForEvent('download');
    await page.locator('a[href$="letter.pdf"]').click();
    expect((await letter).suggestedFilename()).toMatch(/\.pdf$/);

    expect(referrer.complaints).toEqual([]);
    expect(provider.complaints).toEqual([]);
    await referrer.close();
    await provider.close();
  });
});

/** Has a client system refer a made-up person. @returns the referral's id and the person's NHS number. */
async function refer(name: string, person: number): Promise<{ id: string; number: string }> {
  const example = JSON.parse(await readFile('sample/first-referral.json', 'utf8'));
  const number = aTestNhsNumber(person);
  const patient = { ...example.patient, family_name: name, nhs_number: number };
  const answer = await api.post('/api/referrals', { ...example, patient, allow_duplicate: true });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return { id: answer.body.id, number };
}

describe('an operator', inChromium, () => {
  it('resolves a letter that did not arrive', async () => {
    await refer('Bounced', 1);
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, phone);
    await signIn(page, site.logins.operator);
    await page.goto('/operator');
    await expectAccessible(page);
    const copy = page.getByRole('link', { name: 'A copy, to Infirmary Lane Surgery' });
    await expect
      .poll(() => page.goto('/operator/deliveries?show=all').then(() => copy.count()))
      .toBeGreaterThan(0);
    await expectAccessible(page);
    await copy.first().click();
    await page.getByText('The last attempt failed permanently').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Channel', { exact: true }).selectOption('document');
    await follow(page.getByRole('button', { name: 'Send by another channel' }));
    await expectAccessible(page);
    await expect
      .poll(() => page.reload().then(() => page.getByText(/^(Sent|Would have been sent)\b/).count()))
      .toBeGreaterThan(1);
    await expectAccessible(page);
    await page.goto('/operator/deliveries?show=closed');
    await expectAccessible(page);
    await page.goto('/outbox');
    await page.getByText('Infirmary Lane Surgery').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('gives a copy, restricts and erases', async () => {
    const { id, number } = await refer('Askew', 2);
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, phone);
    await signIn(page, site.logins.operator);
    await page.goto('/operator/patients/erasure');
    await expectAccessible(page);
    await page.goto('/operator/patients');
    await page.getByRole('button', { name: 'Find the record' }).click();
    await page.getByRole('heading', { name: 'There is a problem' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('NHS number').fill(number);
    const why = page.getByLabel('Why are you looking for this person?');
    await why.fill('Asked for by letter, identity checked.');
    await page.getByRole('button', { name: 'Find the record' }).click();
    await page.getByRole('heading', { name: 'What is held' }).waitFor();
    await expectAccessible(page);
    const found = page.locator(`main a[href="/operator/patients/referrals/${id}"]`).first();
    const referralPage = (await found.getAttribute('href'))!;
    await page.getByLabel('The person, or somebody who acts for them').check();
    await page.getByRole('button', { name: 'Pack the record' }).click();
    await page.getByRole('heading', { name: 'Finish the review' }).waitFor();
    await expectAccessible(page);
    const note = page.getByLabel('What did you look at, and whom did you ask?');
    await note.fill('Read all of it; nothing is about others.');
    await page.getByRole('button', { name: 'The copy can be handed out' }).click();
    const record = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the copy' }).click();
    expect((await record).suggestedFilename()).toMatch(/\.zip$/);
    await expectAccessible(page);
    await page.goto(referralPage);
    await expectAccessible(page);

    const act = async (action: string, button: string, said: string) => {
      await page.locator(`form[action$="/${action}"] textarea`).fill('Asked for by letter, ticket 12.');
      await page.getByRole('button', { name: button }).click();
      await page.getByText(said).waitFor();
      await expectAccessible(page);
    };
    await page.getByRole('button', { name: 'Restrict the referral' }).click();
    await page.getByRole('heading', { name: 'There is a problem' }).waitFor();
    await expectAccessible(page);
    await act('restrict', 'Restrict the referral', 'The referral is restricted.');
    await act('unrestrict', 'Lift the restriction', 'The restriction was lifted.');
    await api.post(`/api/referrals/${id}/withdraw-as-error`, {}, { 'if-match': '"1"' });
    await page.reload();
    await page.getByLabel('It should never have been recorded').check();
    await act('erase', 'Erase the referral', 'Nothing can bring it back.');
    await page.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByText('What the referral said was erased.').waitFor();
    await expectAccessible(page);
    await page.goto(`/referrals/${id}`);
    await page.getByText('What this referral said was erased').waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('somebody who was referred', inChromium, () => {
  it('asks about their record, and an operator answers', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, phone);
    await page.goto('/rights');
    await follow(page.getByRole('button', { name: 'Send' }));
    await page.getByRole('heading', { name: 'There is a problem' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Correct my record').check();
    await page.getByLabel('Your name').fill('Quilla Quillfeather');
    await page.getByLabel('How can we reach you safely?').fill('01632 960177, mornings');
    await page.getByLabel('What is it about?').fill('My telephone number is wrong.');
    await follow(page.getByRole('button', { name: 'Send' }));
    await page.getByText('Your reference is').waitFor();
    await expectAccessible(page);
    await signIn(page, site.logins.operator);
    await page.goto('/operator/requests');
    await expectAccessible(page);
    await follow(page.getByRole('link', { name: 'Correction' }));
    await expectAccessible(page);
    await page.getByLabel('Answer').fill('Corrected, and told by telephone.');
    await follow(page.getByRole('button', { name: 'Mark as answered' }));
    await page.getByText('The request is marked as answered.').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('an organisation', inChromium, () => {
  it('is described, and chooses a copy of its open referrals', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, phone);
    await signIn(page, site.logins.operator);
    await page.goto('/operator/organisations');
    await expectAccessible(page);
    await follow(page.getByRole('link', { name: 'Infirmary Lane Surgery' }));
    await follow(page.getByRole('link', { name: 'Change what is entered about data sharing' }));
    await page.getByLabel('ICO number').fill('ZA123456');
    await expectAccessible(page);
    await follow(page.getByRole('button', { name: 'Save' }));
    await page.getByText('The organisation was saved.').waitFor();
    await follow(page.getByRole('button', { name: 'Sign out' }));
    await signIn(page, site.logins.referrer);
    await page.goto('/offline-copy');
    await page.getByLabel('Password of the copy').fill('otter kettle violin marsh');
    await expectAccessible(page);
    await follow(page.getByRole('button', { name: 'Make a copy each night' }));
    const link = page.getByRole('link', { name: 'Download the copy' });
    await expect.poll(() => page.goto('/offline-copy').then(() => link.count())).toBe(1);
    await expectAccessible(page);
    const copy = page.waitForEvent('download');
    await link.click();
    expect((await copy).suggestedFilename()).toMatch(/^open-referrals-.*\.pdf$/);
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('the API reference', inChromium, () => {
  it('finds calls by a word, and fills in the id and version', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    await page.goto('/api/docs');
    await page.getByLabel('Find a call').fill('cancelReferral');
    await page.getByText('1 call', { exact: true }).waitFor();
    expect(await page.locator('details[data-operation]:visible').count()).toBe(1);
    await page.getByLabel('Find a call').fill('');

    await page.getByRole('button', { name: 'Use my key' }).click();
    await page.getByText('Your key is in use').waitFor();
    await page.goto('/api/docs#/Referrals/createReferral');
    await page.getByRole('button', { name: 'Use my key' }).click();
    await page.getByText('Your key is in use').waitFor();
    const create = page.locator('#operations-Referrals-createReferral');
    await create.getByRole('link', { name: '422 risk-not-acted-on' }).waitFor();
    await create.getByRole('button', { name: 'Execute' }).click();
    const answer = create.locator('.live-responses-table');
    await answer.locator('.response-col_status').getByText('201').waitFor();
    const id = /"id": "([^"]+)"/.exec(await answer.innerText())![1]!;
    const services = page.locator('#operations-Library-listServices');
    await services.locator('.opblock-summary-control').click();
    await services.getByRole('button', { name: 'Execute' }).click();
    await services.locator('.live-responses-table .response-col_status').getByText('200').waitFor();

    const cancel = page.locator('#operations-Referrals-cancelReferral');
    await cancel.locator('.opblock-summary-control').click();
    const version = cancel.locator('tr[data-param-name="if-match"] input');
    const cancelled = cancel.locator('tr[data-param-name="id"] input');
    await expect.poll(() => cancelled.inputValue(), { timeout: 20_000 }).toBe(id);
    await expect.poll(() => version.inputValue()).toMatch(/^"1-/);
    await cancel.getByRole('button', { name: 'Execute' }).click();
    await cancel.locator('.live-responses-table .response-col_status').getByText('200').waitFor();
    await expect.poll(() => version.inputValue()).toMatch(/^"2-/);

    // A list has an ETag too, and it is not that of one of its services.
    const remove = page.locator('#operations-Library-deleteService');
    await remove.locator('.opblock-summary-control').click();
    await remove.locator('tr[data-param-name="id"] input').fill('01a1fc72-4ae1-7f02-b3c4-d5e6f7a8b9c0');
    const typed = remove.locator('tr[data-param-name="if-match"] input');
    await remove.getByRole('button', { name: 'Execute' }).click();
    await remove.getByText('Not sent. Fill in correctly: if-match.').waitFor();
    expect(await typed.inputValue()).toBe('');

    // The example can be tried again: it says that a second referral of the person is meant.
    await create.getByRole('button', { name: 'Execute' }).click();
    await expect.poll(() => cancelled.inputValue(), { timeout: 20_000 }).not.toBe(id);

    // What somebody typed stays.
    await version.fill('"7"');
    await cancelled.fill('');
    await cancelled.fill(id);
    expect(await version.inputValue()).toBe('"7"');
    expect(complaints).toEqual([]);
    await close();
  });

  it('makes calls with the user’s own key after one click', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    await page.goto('/apikeys');
    await expectAccessible(page);
    expect(await page.locator('#access-token').inputValue()).toMatch(/^ona_/);
    expect(await page.locator('#refresh-token').inputValue()).toMatch(/^onr_/);

    await page.goto('/api/docs');
    await page.getByRole('button', { name: 'Use my key' }).click();
    await page.getByText('Your key is in use').waitFor();
    await expectAccessible(page);
    const operation = page.locator('#operations-Tokens-getTokenStatus');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .response-col_status').getByText('200').waitFor();
    expect(await operation.locator('.live-responses-table').innerText()).toContain('referrer@example.org');
    const styles = `getComputedStyle(document.querySelector('.live-responses-table pre code'))`;
    const colours = await page.evaluate(`[${styles}.backgroundColor, ${styles}.color]`);
    expect(colours).toEqual(['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)']);
    const services = page.locator('#operations-Library-listServices');
    await services.locator('.opblock-summary-control').click();
    await services.getByRole('button', { name: 'Execute' }).click();
    await services.locator('.live-responses-table .response-col_status').getByText('200').waitFor();
    expect(await services.locator('.request-url').innerText()).not.toContain('postcode');
    await expectAccessible(page, '[data-swagger-ui]');
    expect(complaints).toEqual([]);
    await close();
  });
});

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../app/builders.ts';
import { personPageFixture } from '../referrals/person-page-fixture.ts';
import { switchOnQuestionnaires } from '../referrals/stored.ts';
import { follow, inChromium, openBrowser } from './open-browser.ts';

const { site, place, referrer, provider, get, post, referWithPage, codeTo } = await personPageFixture();

let browser: Browser;
let baseUrl: string;
beforeAll(async () => {
  baseUrl = await site.app.listen({ host: '127.0.0.1', port: 0 });
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** A small telephone whose browser runs no scripts. */
async function smallPhone(): Promise<Page> {
  const viewport = { width: 320, height: 640 };
  const context = await browser.newContext({ baseURL: baseUrl, viewport, javaScriptEnabled: false });
  return context.newPage();
}

const press = (page: Page, name: string) => follow(page.getByRole('button', { name, exact: true }));

async function expectToFit(page: Page): Promise<void> {
  const scrollWidth = await page.evaluate('document.documentElement.scrollWidth');
  const first = (await page.locator('a, button, input').first().innerText()).trim();
  expect([scrollWidth, first]).toEqual([320, 'Leave this page']);
}

const act = async (who: typeof provider, id: string, action: string, body: object = {}) => {
  const { version } = (await get(who, `/${id}`)).body;
  expect((await post(who, `/${id}/${action}`, body, version)).status).toBe(200);
};

describe('a person on a small telephone without JavaScript', inChromium, () => {
  it('follows the referral, says that they got help, and leaves', async () => {
    const { path, email, id } = await referWithPage();
    const page = await smallPhone();
    await page.goto(path);
    await expectToFit(page);
    await press(page, 'Send me a code');
    await page.getByLabel('Code').fill((await codeTo(email))!);
    await expectToFit(page);
    await press(page, 'Open the message');
    await expectToFit(page);
    const text = () => page.locator('main').innerText();
    expect(await text()).toContain('They have not answered yet.');
    await act(provider, id, 'accept');
    await page.goto(path);
    expect(await text()).toContain('said yes: they will help you');
    await act(provider, id, 'start');
    await act(provider, id, 'complete', { outcome: { code: 'other', text: 'Done.' } });
    await page.goto(path);
    await press(page, 'I got help');
    expect(await text()).toContain('You said that you got help');
    for (const who of [referrer, provider])
      expect((await get(who, `/${id}`)).body.person_page.got_help).toBe(true);
    await press(page, 'Leave this page');
    // The weather is not within reach here, so the way back is taken in another tab.
    const again = await page.context().newPage();
    await again.goto(path);
    const shown = await again.locator('main').innerText();
    expect(shown).toContain('You have a message');
    expect(shown).not.toContain(place.serviceName);
    await page.context().close();
  });

  it('answers four questions; a worrying answer says whom to call', async () => {
    const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
    const [owner, deputy] = await Promise.all([1, 2].map(() => anAccount(site.deps, { organisation })));
    await switchOnQuestionnaires(site.deps.db, { owner: owner!.id, deputy: deputy!.id });
    const { path, email, id } = await referWithPage();
    const page = await smallPhone();
    await page.goto(path);
    await press(page, 'Send me a code');
    await page.getByLabel('Code').fill((await codeTo(email))!);
    await press(page, 'Open the message');
    await press(page, 'Answer four questions about your life');
    await expectToFit(page);
    const choose = (question: number, answer: string) =>
      page.getByRole('group').nth(question).getByLabel(answer, { exact: true }).check();
    for (const [question, answer] of ['6', '7', '1'].entries()) await choose(question, answer);
    await press(page, 'Send your answers');
    await expectToFit(page);
    expect(await page.locator('main').innerText()).toContain('Question 4: select an answer');
    await choose(3, 'I would rather not say');
    await press(page, 'Send your answers');
    await expectToFit(page);
    const text = await page.locator('main').innerText();
    for (const words of ['Things seem to be hard for you', '116 123']) expect(text).toContain(words);
    const { measures } = (await get(referrer, `/${id}`)).body;
    expect(measures.map(({ value }: { value: number }) => value)).toEqual([6, 7, 1]);
    await page.context().close();
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { makeApp } from '../../../test/app/make-app.ts';
import { storeUnmatchedMessage } from '../../../test/delivery/unmatched-message.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { collectUnmatched } from './collect.ts';

const site = await makeApp();
afterAll(site.close);
const operator = await signedInBrowser(site, { role: 'operator' });

const path = '/operator/deliveries/unmatched';
const doneForms = ({ page }: Awaited<ReturnType<typeof operator.open>>) =>
  page.querySelectorAll('form[action*="/done"]').map((form) => form.getAttribute('action')!);

describe('the page of unmatched items', () => {
  it('keeps its reader on the second page', async () => {
    for (let number = 1; number <= 30; number += 1)
      await storeUnmatchedMessage(site.deps.db, { id: `m${number}`, from: 'X26OT9', body: 'hello' });
    await collectUnmatched(site.deps);
    const first = await operator.open(path);
    const next = first.page.querySelectorAll('main a').find(({ text }) => text === 'Next')!;
    const second = await operator.open(next.getAttribute('href')!);
    expect([doneForms(first).length, doneForms(second).length]).toEqual([25, 5]);
    expect(doneForms(first)).not.toEqual(expect.arrayContaining(doneForms(second)));

    const [action, ...others] = doneForms(second);
    const wrong = await operator.send(action!, { words: ' ' });
    expect(wrong.status).toBe(422);
    const link = wrong.page.querySelector('.nhsuk-error-summary a')!.getAttribute('href')!;
    expect(wrong.page.querySelector(link)).not.toBeNull();
    expect(doneForms(wrong)).toEqual(doneForms(second));

    const done = await operator.send(action!, { words: 'Meant for another site.' });
    const after = await operator.open(done.location!);
    expect(after.text).toContain('You have written down what was done');
    expect(doneForms(after)).toEqual(others);
  });
});

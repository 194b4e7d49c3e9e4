import { describe, expect, it } from 'vitest';
import { anAccount } from '../../../../test/app/builders.ts';
import { referralPagesFixture } from '../../../../test/referrals/pages-fixture.ts';
import { storedReferral } from '../../../../test/referrals/stored.ts';
import { minuteMs } from '../../../platform/durations.ts';

// Without JavaScript nothing holds the button after the first press, and the second one comes a moment later.

const { site, browser, referrer, provider, aReferralPage } = await referralPagesFixture();
type Form = Record<string, string>;
type Browser = typeof provider;

const contentOf = async (path: string) =>
  (await storedReferral(site.deps.db, path.split('/').at(-1)!)).content as never as Record<string, object[]>;

/** Opens the page, and sends its form as often as there are forms. */
async function send(by: Browser, pagePath: string, action: string, forms: Form[]): Promise<void> {
  const { page } = await by.open(pagePath);
  const form = page.querySelectorAll('form').find((each) => each.getAttribute('action')?.startsWith(action))!;
  const form_token = form.querySelector('input[name=form_token]')!.getAttribute('value')!;
  for (const fields of forms) {
    expect((await by.send(action, { form_token, ...fields })).status).toBe(303);
    site.clock.moveOn(minuteMs);
  }
}

const measure = {
  measure_code: 'loneliness-direct',
  measure_stage: 'start',
  measure_value: '3',
  measure_by: 'person',
};
const contact = { contact_kind: 'telephone', contact_reached: 'no' };

describe('a button that is pressed twice', () => {
  it('adds a measure once, for both sides', async () => {
    const path = await aReferralPage();
    await send(provider, path, `${path}/measures`, [measure, measure]);
    expect((await contentOf(path)).measures).toHaveLength(1);
    await send(referrer, path, `${path}/measures`, [
      { ...measure, measure_stage: 'review' },
      { ...measure, measure_stage: 'review' },
    ]);
    expect((await contentOf(path)).measures).toMatchObject([{ stage: 'start' }, { stage: 'review' }]);
  });

  it('logs a contact once', async () => {
    const path = await aReferralPage();
    await send(provider, path, `${path}/contacts`, [contact, contact]);
    expect((await contentOf(path)).contacts).toHaveLength(1);
  });

  it('sends a message once, and another text again', async () => {
    const path = await aReferralPage();
    const text = 'She prefers mornings.';
    await send(referrer, path, `${path}/messages`, [{ text }, { text }, { text: 'After nine.' }]);
    const { page } = await referrer.open(path);
    expect(page.querySelectorAll('.onward-thread__text').map((each) => each.text)).toEqual([
      text,
      'After nine.',
    ]);
  });

  it('books an appointment once', async () => {
    const path = await aReferralPage();
    const appointment = { appointment_at: '2026-12-01T10:00', appointment_kind: 'in-person' };
    for (const _ of [1, 2]) await provider.send(`${path}/appointments`, appointment);
    expect((await contentOf(path)).appointments).toHaveLength(1);
  });

  it('says after each press that it was done', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    const reason_code = 'no-capacity';
    const outcome = { outcome_code: 'goals-met', outcome_text: 'She sings.', gp_needed: 'no' };
    for (const [action, form] of [
      ['accept', { version: '2' }],
      ['hold', { version: '3', reason_code }],
      ['start', { version: '4' }],
      ['complete', { version: '5', ...outcome }],
    ] as const)
      for (const _ of [1, 2]) {
        const { status, location } = await provider.send(`${path}/${action}`, form);
        expect([status, location]).toEqual([303, `${path}?done=${action}`]);
      }
    const declined = await aReferralPage();
    await provider.open(declined);
    const decline = () => provider.send(`${declined}/reject`, { version: '2', reason_code });
    expect([(await decline()).status, (await decline()).status]).toEqual([303, 303]);
    // Somebody else's press is no second one.
    const cancelled = await referrer.send(`${declined}/cancel`, { version: '2', reason_code: 'moved-away' });
    expect(cancelled.status).toBe(412);
  });

  it('stores what was changed between, and what a new page sends', async () => {
    const path = await aReferralPage();
    await send(provider, path, `${path}/measures`, [measure, { ...measure, measure_value: '2' }]);
    await send(provider, path, `${path}/measures`, [measure]);
    expect((await contentOf(path)).measures).toMatchObject([{ value: 3 }, { value: 2 }, { value: 3 }]);
  });

  it('stores a questionnaire once', async () => {
    const organisation = { name: 'Infirmary Lane Surgery' };
    const operator = await browser({ role: 'operator' });
    const people = [
      await anAccount(site.deps, { organisation }),
      await anAccount(site.deps, { organisation }),
    ];
    const { page } = await operator.open('/operator/organisations');
    const link = page.querySelectorAll('main a').find(({ text }) => text.trim() === organisation.name)!;
    const desk = { owner: people[0]!.id, deputy: people[1]!.id, asks: 'ucla-3', on: 'yes' };
    expect((await operator.send(`${link.getAttribute('href')}/questionnaires`, desk)).status).toBe(303);
    const path = await aReferralPage();
    const answers = {
      ...{ stage: 'start', mode: 'paper' },
      ...{ 'ucla-companionship': '2', 'ucla-left-out': '2', 'ucla-isolated': '2' },
    };
    const questions = `${path}/questionnaires/ucla-3`;
    await send(provider, questions, questions, [answers, answers]);
    expect((await contentOf(path)).measures).toMatchObject([{ code: 'ucla-3', value: 6 }]);
  });
});

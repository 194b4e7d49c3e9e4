import { describe, expect, it } from 'vitest';
import { anAccount } from '../../../../test/app/builders.ts';
import { referralPagesFixture } from '../../../../test/referrals/pages-fixture.ts';
import { findQuestionnaireDesk } from '../../model/after-acceptance/questionnaire-desks-store.ts';
import { updatePrompts } from '../../overdue/update-prompts.ts';

const { site, browser, referrer, provider, aReferralPage } = await referralPagesFixture();
const operator = await browser({ role: 'operator' });
const organisation = { name: 'Infirmary Lane Surgery' };
const owner = await anAccount(site.deps, { name: 'Olive Owner', organisation });
const deputy = await anAccount(site.deps, { name: 'Dev Deputy', organisation });
const stranger = await anAccount(site.deps, { organisation: { name: 'Elsewhere' } });
const organisationId = (await operator.open('/operator/organisations')).page
  .querySelectorAll('main a')
  .find(({ text }) => text.trim() === organisation.name)!
  .getAttribute('href')!
  .split('/')
  .at(-1)!;
const deskPath = `/operator/organisations/${organisationId}/questionnaires`;
const setDesk = (given: Record<string, string> = {}) =>
  operator.send(deskPath, { owner: owner.id, deputy: deputy.id, asks: 'ons4', on: 'yes', ...given });

const onPaper = (given: Record<string, string> = {}) => ({
  stage: 'start',
  mode: 'paper',
  'ucla-companionship': '3',
  'ucla-left-out': '3',
  'ucla-isolated': '2',
  ...given,
});

describe('questionnaires', () => {
  it('are off while nobody looks into worrying answers', async () => {
    const path = `${await aReferralPage()}/questionnaires/ucla-3`;
    const shown = await provider.open(path);
    expect(shown.text).toContain('nobody is named who looks into worrying answers');
    expect(shown.page.querySelector('main form')).toBeNull();
    const refused = await provider.send(path, onPaper());
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('nobody is named')]);
  });

  it('need an owner and another deputy of the organisation', async () => {
    for (const change of [{ owner: '' }, { deputy: '' }, { deputy: owner.id }, { owner: stranger.id }])
      expect((await setDesk(change)).status).toBe(422);
    const refused = await setDesk({ owner: '' });
    expect(refused.text).toContain('without one, nobody would look into worrying answers');
    expect((await setDesk({ asks: '' })).text).toContain('Choose at least one questionnaire');
    expect(await findQuestionnaireDesk(site.deps.db, organisationId)).toBeUndefined();
    expect((await referrer.open(deskPath)).status).toBe(403);
    expect((await setDesk()).status).toBe(303);
    expect((await operator.open(deskPath)).text).toContain('They are on.');
  });
});

describe('a questionnaire on paper', () => {
  it('is printed without person or service, typed in by staff', async () => {
    const referral = await aReferralPage();
    const path = `${referral}/questionnaires/ucla-3`;
    const paper = (await provider.open(`${path}/paper`)).text;
    for (const words of ['How often do you feel left out?', 'Some of the time', '116 123', '999'])
      expect(paper).toContain(words);
    for (const secret of ['Margaret', 'Example', 'Mill Lane']) expect(paper).not.toContain(secret);
    const taken = { taken_day: '20', taken_month: '11', taken_year: '2026' };
    const { location } = await provider.send(path, onPaper(taken));
    const { text } = await provider.open(location);
    expect(text).toContain('A score needs somebody to look into it');
    expect(text).toContain('Loneliness (UCLA-3), 8 (start, the person answered)');
    expect(text).toContain('NHS 111 and choose option 2');
    await updatePrompts(site.deps);
    const shown = (await referrer.open(referral)).text;
    expect(shown).toContain('The person gave a worrying answer to a question about how they are');
    expect(shown).toMatch(
      /Olive Owner is responsible for this, since .*, and has to act by the end of 23 November 2026/,
    );
  });

  it('says who looks into a worrying score, then what they did', async () => {
    const referral = await aReferralPage();
    await provider.send(`${referral}/questionnaires/ucla-3`, onPaper({}));
    await updatePrompts(site.deps);
    expect((await provider.open(referral)).text).toContain(
      'Olive Owner, where the person was referred, is responsible for it and has to act by the end of 23 November 2026',
    );
    const { page } = await referrer.open(referral);
    const reason = 'Rang her on Monday: she is safe.';
    await referrer.send(page.querySelector('form[action$="/dismiss"]')!.getAttribute('action')!, { reason });
    for (const reader of [provider, referrer]) {
      const { text } = await reader.open(referral);
      expect(text).toMatch(new RegExp(`Looked into by .* on 2\\d November 2026: ${reason}`));
      expect(text).not.toContain('needs somebody to look into it');
    }
  });

  it('keeps what was typed where something is wrong or missing', async () => {
    const referral = await aReferralPage();
    const path = `${referral}/questionnaires/ucla-3`;
    for (const [change, words] of [
      [{ 'ucla-left-out': '' }, 'Question 2: select an answer'],
      [{ 'ucla-isolated': '4' }, 'Question 3: select an answer'],
      [{ stage: '' }, 'Select when it is asked'],
      [{ mode: '' }, 'Select how the person answered'],
      [{ taken_day: '31', taken_month: '2', taken_year: '2026' }, 'Enter a real date'],
      [{ taken_day: '24', taken_month: '12', taken_year: '2026' }, 'must be today or in the past'],
      [{ taken_day: '24', taken_month: '12', taken_year: '2024' }, 'must be at most a year ago'],
    ] as [Record<string, string>, string][]) {
      const refused = await provider.send(path, onPaper(change));
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(words)]);
      const kept = refused.page.querySelector('[name="ucla-companionship"][value="3"]');
      expect(kept?.hasAttribute('checked')).toBe(true);
    }
    expect((await provider.open(referral)).text).not.toContain('Each time it was measured');
  });

  it('says of each measure if it is better, the same or worse', async () => {
    const referral = await aReferralPage();
    const path = `${referral}/questionnaires/ucla-3`;
    await provider.send(path, onPaper({ 'ucla-companionship': '1' }));
    await provider.send(path, onPaper({ stage: 'end', 'ucla-companionship': '2' }));
    expect((await provider.open(referral)).text).toContain(
      'Loneliness (UCLA-3): 6 → 7, worse (3 to 9, lower is better)',
    );
  });
});

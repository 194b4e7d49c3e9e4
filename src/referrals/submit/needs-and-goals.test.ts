import { describe, expect, it } from 'vitest';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { referralPagesFixture } from '../../../test/referrals/pages-fixture.ts';
import { needCodes, sdohCategory } from '../model/person/needs.ts';

const { referrer, provider, colleague, get, post, call, makeReferral, aPerson, place, elsewhere } =
  await referralLifeFixture();

describe('the page of the goals', async () => {
  const pages = await referralPagesFixture();

  it('sets goals and says which were met; the referrer reads both', async () => {
    const path = await pages.aReferralPage();
    const typed = {
      version: '2',
      goal_1_text: 'To sing again',
      goal_1_need: 'arts-nature',
      goal_2_text: 'To cook',
    };
    expect((await pages.provider.send(`${path}/goals`, typed)).status).toBe(303);
    const { page } = await pages.provider.open(`${path}/goals`);
    expect(page.querySelector('#goal_1_text')?.text).toBe('To sing again');
    const folded = page.querySelectorAll('details textarea').map(({ id }) => id);
    expect(folded, 'one more can be added at once').toEqual(['goal_4_text', 'goal_5_text']);
    const met = { ...typed, version: '3', goal_1_result: 'achieved', goal_2_text: '' };
    await pages.provider.send(`${path}/goals`, met);
    const { text } = await pages.referrer.open(path);
    expect(text).toMatch(/To sing again\s+Arts and nature\s+Met/);
    expect(text).not.toMatch(/To cook\s+Not said yet/);
    expect(text).toContain('Goals: To sing again (met)');
  });

  it('keeps the typed text if others were faster or words miss', async () => {
    const path = await pages.aReferralPage();
    await pages.provider.send(`${path}/accept`, { version: '2' });
    const late = await pages.provider.send(`${path}/goals`, { version: '2', goal_1_text: 'To sing' });
    expect([late.status, late.page.querySelector('#goal_1_text')?.text]).toEqual([412, 'To sing']);
    const empty = await pages.provider.send(`${path}/goals`, { version: '3', goal_2_result: 'partly' });
    expect([empty.status, empty.text]).toEqual([422, expect.stringContaining('Enter the goal')]);
    expect(empty.page.querySelector('#goal_2_text-error')).not.toBeNull();
    const onlyNeed = await pages.provider.send(`${path}/goals`, { version: '3', goal_2_need: 'arts-nature' });
    expect([onlyNeed.status, onlyNeed.text]).toEqual([
      422,
      expect.stringContaining('Enter the goal. To take'),
    ]);
    const kept = onlyNeed.page.querySelector('#goal_2_need option[selected]');
    expect(kept?.getAttribute('value')).toBe('arts-nature');
    expect(onlyNeed.page.querySelector('details #goal_2_text'), 'is not folded away').toBeNull();
  });
});

const said = {
  needs: ['social-connection', 'bereavement'],
  goals: [{ text: 'To sing again', need: 'social-connection' }],
  reasonable_adjustments: ['hearing', 'home-visit'],
  episode: 'first',
  source: 'self',
  method: 'telephone',
};

describe('needs, goals and adjustments', () => {
  it('are read by both sides as they were sent', async () => {
    const { id, patient } = await makeReferral(said);
    expect((await get(provider, `/${id}`)).body).toMatchObject(said);
    expect(patient).not.toHaveProperty('ethnic_category');
  });

  it('have 28 codes of needs, 18 with one of SDOH Clinical Care', () => {
    expect(needCodes).toHaveLength(28);
    expect(needCodes.filter((code) => sdohCategory(code) === code)).toHaveLength(18);
  });

  it('refuse an unknown code, one given twice and an empty goal', async () => {
    for (const wrong of [
      { needs: ['happiness'] },
      { needs: ['stress', 'stress'] },
      { goals: [{ text: ' ' }] },
      { goals: [{ text: 'To sing', result: 'maybe' }] },
      { reasonable_adjustments: ['a-ladder'] },
      { episode: 'second' },
    ])
      expect((await post(referrer, '', aPerson(place.serviceId, wrong))).status, JSON.stringify(wrong)).toBe(
        400,
      );
  });

  it('may be empty, which is as good as nothing', async () => {
    const made = await makeReferral({ needs: [], goals: [], reasonable_adjustments: [] });
    expect(made).not.toHaveProperty('needs');
    const { body } = await call(provider, 'PATCH', `/${made.id}`, { body: { needs: [] }, version: 1 });
    expect(body.version).toBe(1);
  });

  it('stay in a draft until it is sent', async () => {
    const { body: draft } = await post(referrer, '', { ...aPerson(), ...said, status: 'draft' });
    const { body: sent } = await post(referrer, `/${draft.id}/request`, {}, 1);
    expect(sent).toMatchObject({ status: 'requested', ...said });
  });

  it('are corrected by the service, with a line in the history', async () => {
    const { id } = await makeReferral(said);
    const goals = [{ ...said.goals[0], result: 'achieved' }, { text: 'To go out alone' }];
    const body = { goals, needs: ['stress'], patient: { ethnic_category: 'A' } };
    const changed = await call(provider, 'PATCH', `/${id}`, { body, version: 1 });
    expect([changed.status, changed.body.goals, changed.body.needs]).toEqual([200, goals, ['stress']]);
    expect(changed.body.patient.ethnic_category).toBe('A');
    const line = (await get(referrer, `/${id}/history`)).body.items.at(-1);
    expect(line.changes.map(({ field }: { field: string }) => field).sort()).toEqual([
      'goals',
      'needs',
      'patient.ethnic_category',
    ]);
  });

  it('leave the episode to the first referral after a reroute', async () => {
    const { id } = await makeReferral(said);
    await post(provider, `/${id}/reject`, { status_reason: { code: 'no-capacity', text: 'Full.' } }, 1);
    const consent = { referral: true, share_with_gp: true };
    const { body } = await post(colleague, `/${id}/reroute`, { service_id: elsewhere.serviceId, consent });
    expect(body.needs).toEqual(said.needs);
    expect(body).not.toHaveProperty('episode');
  });
});

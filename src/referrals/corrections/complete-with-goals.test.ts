import { describe, expect, it } from 'vitest';
import { storedDeliveries } from '../../../test/delivery/stored.ts';
import { referralPagesFixture } from '../../../test/referrals/pages-fixture.ts';
import { storedReferral } from '../../../test/referrals/stored.ts';
import { listHistory } from '../model/history-store.ts';

const { site, provider, aReferralPage } = await referralPagesFixture();
const { db } = site.deps;

const idOf = (path: string) => path.split('/').at(-1)!;
const outcome = { outcome_code: 'goals-partly-met', outcome_text: 'She joined the choir.', gp_needed: 'no' };

/** A referral that was started, with two goals, at version 5. */
async function withTwoGoals(): Promise<string> {
  const path = await aReferralPage();
  await provider.send(`${path}/accept`, { version: '2' });
  await provider.send(`${path}/start`, { version: '3' });
  const goals = { goal_1_text: 'To sing again', goal_2_text: 'To go out', goal_2_result: 'partly' };
  await provider.send(`${path}/goals`, { version: '4', ...goals });
  return path;
}

const goalsOf = async (path: string) =>
  ((await storedReferral(db, idOf(path))).content as { goals?: object[] }).goals;

const lettersTo = async (path: string) =>
  (await storedDeliveries(db, idOf(path))).filter(({ leg }) => leg === 'gp_practice').length;

describe('the form to complete a referral', () => {
  it('says in one step what came of each goal, and ends it', async () => {
    const path = await withTwoGoals();
    const before = await lettersTo(path);
    const sent = { version: '5', ...outcome, goal_1_result: 'achieved', goal_2_result: 'not' };
    expect((await provider.send(`${path}/complete`, sent)).location).toBe(`${path}?done=complete`);
    const { status, version } = await storedReferral(db, idOf(path));
    expect(status).toBe('completed');
    expect(await goalsOf(path)).toMatchObject([
      { text: 'To sing again', result: 'achieved' },
      { text: 'To go out', result: 'not' },
    ]);
    // The letter about the end has the goals, so the practice gets one letter and not two.
    expect(await lettersTo(path)).toBe(before + 1);
    const lines = (await listHistory(db, idOf(path))).slice(-2);
    expect(lines.map((line) => [line.details?.kind, line.to])).toEqual([
      ['correction', 'in-progress'],
      [undefined, 'completed'],
    ]);
    // A double click changes nothing more, and does not read that nothing was done.
    expect((await provider.send(`${path}/complete`, sent)).location).toBe(`${path}?done=complete`);
    expect((await storedReferral(db, idOf(path))).version).toBe(version);
  });

  it('leaves goals as they are where nothing is chosen', async () => {
    const path = await withTwoGoals();
    await provider.send(`${path}/complete`, { version: '5', ...outcome });
    const { status, version } = await storedReferral(db, idOf(path));
    expect([status, version]).toEqual(['completed', 6]);
    expect(await goalsOf(path)).toMatchObject([{ text: 'To sing again' }, { result: 'partly' }]);
  });

  it('changes no goal if it is refused, and keeps what was chosen', async () => {
    const path = await withTwoGoals();
    const sent = { version: '5', goal_1_result: 'achieved', outcome_text: 'She sings.' };
    const { status, page } = await provider.send(`${path}/complete`, sent);
    expect(status).toBe(422);
    const chosen = page.querySelectorAll('input[name^=goal_][checked]');
    expect(chosen.map((each) => each.getAttribute('value'))).toEqual(['achieved', 'partly']);
    const stale = await provider.send(`${path}/complete`, { ...sent, ...outcome, version: '4' });
    expect(stale.status).toBe(412);
    expect(await goalsOf(path)).toEqual([{ text: 'To sing again' }, { text: 'To go out', result: 'partly' }]);
  });
});

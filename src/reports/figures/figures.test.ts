import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { type Journey, storeJourneys } from '../../../test/reports/journeys.ts';
import { moveSending } from '../../../test/reports/stored.ts';
import { summariseExactly } from '../publish/summarise.ts';

// A hundred journeys and their figures, worked out by hand. All began from 1 to 20 June 2026 at noon UTC, five on each day in turn;
// today is 21 November. Every referral is due after ten days.
const journeys: [count: number, line: string, more?: Partial<Journey>][] = [
  [15, 'accepted+1 contact+2 started+5 completed+30', { change: 4, goals: ['achieved'], says: 'got-help' }],
  [15, 'accepted+1 contact+3 started+5 completed+30', { change: 2, goals: ['partly', 'not'] }],
  [12, 'accepted+4 contact+6 started+8 completed+60', { goals: ['not', null], loneliness: [8, 5] }],
  [8, 'accepted+4 contact+6 started+8 completed+60', { loneliness: [8, 8], says: 'did-not-get-help' }],
  [10, 'accepted+12 started+20', { letter: 0.5 }],
  [10, 'rejected+2:no-capacity > +3 accepted+1 started+4 completed+20', { says: 'got-help', letter: 3 }],
  [10, 'rejected+6:out-of-area', { letter: null, byHand: true }],
  [5, 'rejected+3:client-declined'],
  [3, 'cancelled+4:other'],
  // The service said that the person has died: that is no answer and no decline.
  [2, 'rejected+4:died'],
  [4, 'accepted+2 failed+9:failed-contact'],
  [6, ''],
];

const expected = {
  // 100 first referrals and the 10 that replace one, of 100 people.
  'A1 all': [110, 110],
  'A2 all': [110, 100],
  // After 1 day 40 of 110 are answered, after 2 days 54, after 3 days 59: more than half.
  'T1 all': [110, 3],
  // Kaplan–Meier: 51/110 · 31/51 at 4 days (5 leave then), · 16/26 at 6, · 6/16 at 12 days makes 6.5 % without an answer.
  'T1 percentile:90': [110, 12],
  // All but the 10 answered after 12 days, the 5 cancelled and the 6 without an answer.
  'T2 all': [110, 89 / 110],
  // Kaplan–Meier: 95/110 after 2 days (10 leave then) · 70/85 after 3 (5 leave, and 5 after 4) · 40/60 after 6 makes 47 %.
  'T3 all': [110, 6],
  // Of the accepted, 64 have ended: all but the 10 in progress. Without contact are the 10 that replaced one, and the 4 failed.
  'T3 closed-without-contact': [64, 14 / 64],
  'T3 referred-again:30': [94, 0],
  // Of 74 accepted, 10 started after 3 days and 50 after 4.
  'T4 all': [74, 4],
  // Open are the 6 without an answer and the 10 in progress, which have no next date.
  'T5 all': [16, 6],
  // 30 + 20 + 10 + 10 + 4 accepted, 25 declined.
  'F1 all': [99, 74 / 99],
  'F2 reason:no-capacity': [25, 10 / 25],
  'F2 reason:out-of-area': [25, 10 / 25],
  'F2 reason:client-declined': [25, 5 / 25],
  'F2 side:service': [25, 20 / 25],
  'F2 side:person': [25, 5 / 25],
  'F3 all': [74, 70 / 74],
  // All journeys but the 10 in progress and the 6 without an answer.
  'F4 all': [100, 84 / 100],
  // 15 with a goal met, 15 with one partly met.
  'F5 all': [100, 30 / 100],
  // The first 15, and the 10 whose second referral was completed.
  'F5 says:person': [100, 25 / 100],
  'F6 all': [25, 10 / 25],
  'O2 measure:swemwbs': [30, 3],
  // Goals: 15 met; 15 partly met and 15 not; 12 not and 12 that nobody has said anything of.
  'O1 all': [69, 22.5 / 69],
  'O2 measure:ucla-3': [20, -1.8],
  // 8 and 9 are its poor band: 12 left it, 8 stayed.
  'O3 measure:ucla-3': [20, 12 / 20],
  // Of 30 + 20 + 10 completed.
  'O4 all': [60, 50 / 60],
  // 30 letters, all older than five days: 10 left after half a day, 10 after three days, 10 never.
  'G1 within:1': [30, 10 / 30],
  'G1 within:5': [30, 20 / 30],
  'G2 all': [30, 10 / 30],
  'L2 declined:no-capacity': [110, 10],
  // The 6 without an answer.
  'L2 waiting:28': [110, 6],
  'D1 field:goals': [110, 42 / 110],
  'D1 field:risk': [110, 0],
};

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
  const lines = journeys.flatMap(([count, line, more]) => Array(count).fill({ line, ...more }));
  await storeJourneys(
    site,
    lines.map((each, index) => ({ ...each, sent: `2026-06-${String(1 + (index % 20)).padStart(2, '0')}` })),
  );
});
afterAll(() => site.close());

const read = (from: string, to: string) => summariseExactly(site.deps, {}, { from, to });

describe('the figures of a hundred journeys', () => {
  it('are exactly those worked out by hand', async () => {
    const { period, figures } = await read('2026-06-01', '2026-06-30');
    expect(period.ripe).toBe(true);
    const found = figures
      .filter(({ id, stratum }) => `${id} ${stratum}` in expected)
      .map(({ id, stratum, n, value }) => [`${id} ${stratum}`, [n, value]]);
    const rounded = Object.entries(expected).map(([name, [n, value]]) => [
      name,
      [n, Math.round(value! * 1e6) / 1e6],
    ]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(rounded));
  });

  it('have Wilson’s interval for shares, a normal one for changes', async () => {
    const { figures } = await read('2026-06-01', '2026-06-30');
    const of = (id: string) => figures.find((figure) => figure.id === id)!;
    expect(of('F4')).toMatchObject({ low: 0.755797, high: 0.899047, unit: 'share' });
    expect(of('O2').low).toBeCloseTo(3 - (1.96 * 1.017095) / Math.sqrt(30), 3);
    expect(of('T1')).toMatchObject({ low: null, high: null, unit: 'days' });
  });

  it('are the same from whole months and from single days', async () => {
    const { figures } = await read('2026-06-01', '2026-06-30');
    for (const [from, to] of [
      ['2026-05-20', '2026-07-05'],
      ['2026-05-01', '2026-06-29'],
      ['2026-06-01', '2026-06-20'],
    ] as const)
      expect((await read(from, to)).figures).toEqual(figures);
  });

  it('belong to London’s days of sending, first and last included', async () => {
    const count = async (from: string, to: string) =>
      (await read(from, to)).figures.find(({ id }) => id === 'A1')!.value;
    expect(await count('2026-06-01', '2026-06-01')).toBe(5);
    expect(await count('2026-05-01', '2026-05-31')).toBe(0);
    await storeJourneys(site, [{ sent: '2026-03-28', line: '' }]);
    // Half an hour before midnight in UTC is the next day in London from 29 March on.
    await moveSending(site.deps.db, {
      before: new Date('2026-04-01'),
      to: new Date('2026-03-29T23:30:00Z'),
    });
    expect(await count('2026-03-29', '2026-03-29')).toBe(0);
    expect(await count('2026-03-30', '2026-03-30')).toBe(1);
  });

  it('count answers by link as answers, and those of the site not', async () => {
    await storeJourneys(site, [
      ...Array(12).fill({ sent: '2026-02-02', line: 'accepted+2', by: 'link' }),
      ...Array(3).fill({ sent: '2026-02-02', line: 'rejected+4:no-capacity', by: 'link' }),
      ...Array(5).fill({ sent: '2026-02-02', line: 'rejected+9:no-answer', by: 'site' }),
      ...Array(4).fill({ sent: '2026-02-02', line: '' }),
    ]);
    const { figures } = await read('2026-02-01', '2026-02-28');
    const of = (id: string, stratum = 'all') =>
      figures.find((figure) => figure.id === id && figure.stratum === stratum)!;
    // Half of 24 after 2 days. After 4 days 9 are left, who never were answered: less than 90 % by any day.
    expect(of('T1')).toMatchObject({ n: 24, value: 2 });
    expect(of('T1', 'percentile:90')).toMatchObject({ n: 24, value: null });
    expect(of('T2')).toMatchObject({ n: 24, value: 0.625 });
  });

  it('count the later answer where a decline was taken back', async () => {
    const takenBack = 'rejected+1:no-capacity requested+1.01';
    await storeJourneys(site, [
      ...Array(12).fill({ sent: '2025-10-06', line: `${takenBack} accepted+4` }),
      ...Array(8).fill({ sent: '2025-10-06', line: `${takenBack} rejected+12:no-capacity` }),
    ]);
    const { figures } = await read('2025-10-01', '2025-10-31');
    const of = (id: string) => figures.find((each) => each.id === id && each.stratum === 'all');
    expect(of('T1')).toMatchObject({ n: 20, value: 4 });
    // Eight were declined after the ten days.
    expect(of('T2')).toMatchObject({ n: 20, value: 0.6 });
  });

  it('have a median once half are answered, also within an hour', async () => {
    await storeJourneys(site, [
      ...Array(20).fill({ sent: '2025-11-03', line: 'accepted+0.01' }),
      ...Array(15).fill({ sent: '2025-11-03', line: 'accepted+0.01 completed+0.02', by: 'site' }),
    ]);
    const { figures } = await read('2025-11-01', '2025-11-30');
    expect(figures.find(({ id }) => id === 'T1')).toMatchObject({ n: 35, value: 0 });
  });

  it('count those who still wait once', async () => {
    await storeJourneys(site, [
      ...Array(20).fill({ sent: '2025-08-04', line: 'accepted+0.01 started+0.02' }),
      ...Array(15).fill({ sent: '2025-08-04', line: '' }),
    ]);
    const { figures } = await read('2025-08-01', '2025-08-31');
    const of = (id: string) => figures.find((each) => each.id === id && each.stratum === 'all');
    expect(of('T1')).toMatchObject({ n: 35, value: 0 });
    // Nobody waits for the start who was not accepted.
    expect(of('T4')).toMatchObject({ n: 20, value: 0 });
  });

  it('have no median where fewer than half are answered so far', async () => {
    const t1 = async (answered: number, ended: number) => {
      const [month, of] = [`2025-0${ended + 1}`, 35];
      await storeJourneys(site, [
        ...Array(answered).fill({ sent: `${month}-03`, line: 'accepted+2' }),
        // They ended without an answer before the others had theirs, so nobody knows when one would have come.
        ...Array(of - answered).fill({ sent: `${month}-03`, line: ended ? 'cancelled+1' : '' }),
      ]);
      const { figures } = await read(`${month}-01`, `${month}-28`);
      return figures.find(({ id, stratum }) => id === 'T1' && stratum === 'all')!.value;
    };
    expect([await t1(17, 0), await t1(20, 1)]).toEqual([null, 2]);
  });
});

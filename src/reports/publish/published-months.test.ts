import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storeJourneys } from '../../../test/reports/journeys.ts';
import { publishedMonths } from '../../../test/reports/stored.ts';
import { followReferrals } from '../facts/follow-referrals.ts';
import type { ExactFigure } from '../model/figures.ts';
import { publishMonths } from './publish-months.ts';
import { publishAndSummarise } from './summarise.ts';
import { suppressParts } from './suppress.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const ended = 'accepted+1 started+3 completed+20';
const of = (from: string, to: string) => publishAndSummarise(site.deps, {}, { from, to });
const find = ({ figures }: Awaited<ReturnType<typeof of>>, id: string, stratum: string) =>
  figures.find((figure) => figure.id === id && figure.stratum === stratum);

describe('a published month', () => {
  it('is the same the day after an erasure, in every figure', async () => {
    const people = (count: number, birthDate: string, gender: string) =>
      Array(count).fill({ sent: '2026-05-04', line: ended, birthDate, gender });
    const [first] = await storeJourneys(site, [
      ...people(30, '1950-01-01', 'female'),
      ...people(25, '1990-01-01', 'male'),
    ]);
    const before = await of('2026-05-01', '2026-05-31');
    expect(find(before, 'A1', 'all')).toMatchObject({ n: 55, value: 55 });
    expect(find(before, 'A1', 'age:75-84')).toMatchObject({ n: 30, value: 30 });
    expect(find(before, 'A1', 'gender:male')).toMatchObject({ n: 25, value: 25 });
    expect(find(before, 'F1', 'gender:male')).toMatchObject({ n: 25, value: 1 });
    const { headers } = await aTokenHolder(site.deps, { role: 'operator' });
    const payload = { ground: 'consent-withdrawn', reason: 'The person asked for it by letter.' };
    const erased = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${first}/erase`,
      headers,
      payload,
    });
    expect(erased.statusCode, erased.body).toBeLessThan(300);
    await followReferrals(site.deps);
    expect(await of('2026-05-01', '2026-05-31')).toEqual(before);
  });

  it('is published only once it is over and ripe', async () => {
    await storeJourneys(site, [
      ...Array(20).fill({ sent: '2026-10-05', line: 'accepted+1' }),
      ...Array(20).fill({ sent: '2026-11-02', line: ended.replace('20', '15') }),
    ]);
    await publishMonths(site.deps);
    expect(await publishedMonths(site.deps.db)).toEqual(['2026-05']);
    const october = await of('2026-10-01', '2026-10-31');
    expect(october.period.ripe).toBe(false);
    expect(find(october, 'F4', 'all')).toMatchObject({ n: 20, value: null });
    expect(october.figures.some(({ stratum }) => stratum.startsWith('gender:'))).toBe(false);
  });

  it('has no groups of people where dates are not whole months', async () => {
    const part = await of('2026-05-01', '2026-05-30');
    expect(part.figures.some(({ stratum }) => /^(age|gender|service|interpreter):/.test(stratum))).toBe(
      false,
    );
  });

  it('adds up to longer periods from what was published alone', async () => {
    const cells = (count: number, gender: string, month: string) =>
      Array(count).fill({ sent: `2026-0${month}-10`, line: ended, gender });
    await storeJourneys(site, [
      ...cells(40, 'female', '3'),
      ...cells(12, 'male', '3'),
      ...cells(40, 'female', '4'),
      ...cells(3, 'male', '4'),
      ...cells(20, 'other', '4'),
    ]);
    const both = await of('2026-03-01', '2026-04-30');
    expect(find(both, 'A1', 'gender:female')).toMatchObject({ n: 80, value: 80 });
    // April hides the three men, and with them the next group.
    expect(find(both, 'A1', 'gender:male')).toMatchObject({ n: null, value: null });
    expect(find(both, 'A1', 'gender:other')).toMatchObject({ n: null, value: null });
    expect(find(both, 'A1', 'all')).toMatchObject({ n: 115 });
  });
});

// Somebody who collects the published rows of all months and groups knows an interval for each count, and nothing for a hidden one,
// and may know the exact totals from somewhere else. Then every cell of 1 to 7 still may be any number from 1 to 7.
describe('all published months together', () => {
  const groups = ['a', 'b', 'c', 'd', 'e'] as const;
  const cell = fc.record({ n: fc.nat(40), share: fc.nat(100) });
  const months = fc.array(fc.tuple(cell, cell, cell, cell, cell), { minLength: 1, maxLength: 12 });
  const exact = (id: 'A1' | 'F1', index: number, { n, share }: { n: number; share: number }): ExactFigure => {
    const numerator = Math.floor((n * share) / 100);
    const base = { id, stratum: `gender:${groups[index]}`, n, low: null, high: null };
    return id === 'A1'
      ? { ...base, value: n }
      : { ...base, numerator, value: n === 0 ? null : numerator / n };
  };

  /** What a list of cells may be, from the published ones and the true total: the least and the most of each. */
  function bounds(shown: readonly (number | null)[], total: number): [number, number][] {
    const own = shown.map((each): [number, number] =>
      each === null ? [0, total] : each === 0 ? [0, 0] : [Math.max(8, each - 2), each + 2],
    );
    const sum = (index: number, side: 0 | 1) =>
      own.reduce((all, each, other) => all + (other === index ? 0 : each[side]), 0);
    return own.map(([low, high], index) => [
      Math.max(low, total - sum(index, 1)),
      Math.min(high, total - sum(index, 0)),
    ]);
  }

  it('reveal no cell of 1 to 7 by any sums and differences', () => {
    fc.assert(
      fc.property(months, (all) => {
        for (const month of all) {
          for (const id of ['A1', 'F1'] as const) {
            const rows = month.map((each, index) => exact(id, index, each));
            const published = suppressParts('gender', rows);
            if (published.length !== rows.length) continue;
            const lists = [
              { true: rows.map(({ n }) => n), shown: published.map(({ n }) => n) },
              ...(id === 'F1'
                ? [
                    {
                      true: rows.map(({ numerator }) => numerator!),
                      shown: published.map(({ n, numerator }) => (n === 0 ? 0 : numerator)),
                    },
                  ]
                : []),
            ];
            for (const list of lists) {
              const total = list.true.reduce((sum, each) => sum + each, 0);
              const possible = bounds(list.shown, total);
              list.true.forEach((count, index) => {
                if (count < 1 || count > 7) return;
                expect(list.shown[index]).toBeNull();
                const [low, high] = possible[index]!;
                expect(low).toBeLessThanOrEqual(1);
                expect(high).toBeGreaterThanOrEqual(8);
              });
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

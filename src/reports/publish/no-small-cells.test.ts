import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { type Journey, storeJourneys } from '../../../test/reports/journeys.ts';
import { reportView } from '../pages/view.ts';
import { publishAndSummarise } from './summarise.ts';

// Somebody collects the exports of every month, and of every run of months, and may know the exact total of each month from somewhere
// else. Then every cell of 1 to 7 may still be any number from 1 to 8.

const months = ['2025-09', '2025-10', '2025-11', '2025-12', '2026-01', '2026-02'];
const parts = {
  gender: ['female', 'male', 'other'],
  age: ['0-17', '25-34', '75-84'],
  district: ['ZT1', 'ZT2', 'ZT3'],
  need: ['social-connection', 'benefits-debt', 'caring'],
} as const;
type Dimension = keyof typeof parts;
const birthDates = { '0-17': '2012-01-01', '25-34': '1995-01-01', '75-84': '1947-01-01' } as const;

const person = fc.record({
  gender: fc.constantFrom(...parts.gender, 'female', 'female', 'female'),
  age: fc.constantFrom(...parts.age, '75-84', '75-84', '75-84'),
  district: fc.constantFrom(...parts.district, 'ZT1', 'ZT1', 'ZT1'),
  need: fc.constantFrom(...parts.need, 'caring', 'caring', 'caring'),
  isDeclined: fc.boolean(),
});
type Person = { [Each in Dimension]: string } & { isDeclined: boolean };

let site: TestApp;
let people: Person[][];
// It is part of the names of the cells, so that a failure can be repeated.
const seed = Date.now() % 1_000_000;
beforeAll(async () => {
  site = await makeApp();
  people = fc.sample(fc.array(person, { minLength: 20, maxLength: 60, size: 'max' }), {
    seed,
    numRuns: months.length,
  });
  const journeys = people.flatMap((month, index) =>
    month.map(
      ({ gender, age, district, need, isDeclined }): Journey => ({
        sent: `${months[index]}-10`,
        line: isDeclined ? 'rejected+2:no-capacity' : 'accepted+1 started+3 completed+20',
        ...{ gender, birthDate: birthDates[age as keyof typeof birthDates] },
        ...{ postcode: `${district} 1DB`, needs: [need] },
      }),
    ),
  );
  await storeJourneys(site, journeys);
});
afterAll(() => site.close());

type Shown = Awaited<ReturnType<typeof publishAndSummarise>>['figures'];
const lastDay = (month: string) => new Date(Date.UTC(+month.slice(0, 4), +month.slice(5), 0)).getUTCDate();
const read = async (first: string, last: string) =>
  (await publishAndSummarise(site.deps, {}, { from: `${first}-01`, to: `${last}-${lastDay(last)}` })).figures;
const rowOf = (rows: Shown, id: string, stratum: string) =>
  rows.find((row) => row.id === id && row.stratum === stratum);

/** Of a published count: the least and the most that it may be. A count that is not there may be anything. */
const rangeOf = (shown: number | null | undefined, total: number): [number, number] => {
  if (shown === null || shown === undefined) return [0, total];
  return shown === 0 ? [0, 0] : [Math.max(8, shown - 2), shown + 2];
};

describe('the exports of six months', () => {
  it('hide each cell of 1 to 7 from any arithmetic', async () => {
    let small = 0;
    for (const [index, month] of months.entries()) {
      const rows = await read(month, month);
      const all = people[index]!;
      const check = (
        id: string,
        dimension: Dimension,
        of: Person[],
        shownOf: (part: string) => number | null | undefined,
      ) => {
        const names = parts[dimension];
        const ranges = names.map((part) => rangeOf(shownOf(part), of.length));
        const sum = (side: 0 | 1) => ranges.reduce((whole, range) => whole + range[side], 0);
        names.forEach((part, at) => {
          const count = of.filter((each) => each[dimension] === part).length;
          if (count < 1 || count > 7) return;
          small += 1;
          const name = `seed ${seed}: ${month} ${id} ${dimension}:${part}`;
          expect(shownOf(part) ?? null, name).toBeNull();
          const [low, high] = ranges[at]!;
          expect(Math.max(low, of.length - (sum(1) - high)), name).toBeLessThanOrEqual(1);
          // No cell is larger than a total below 8, for one who knows it.
          expect(Math.min(high, of.length - (sum(0) - low)), name).toBeGreaterThanOrEqual(
            Math.min(8, of.length),
          );
        });
      };
      for (const dimension of ['gender', 'age'] as const)
        check('A1', dimension, all, (part) => rowOf(rows, 'A1', `${dimension}:${part}`)?.value);
      const declined = all.filter(({ isDeclined }) => isDeclined);
      for (const dimension of ['district', 'need'] as const) {
        check('L2 of all', dimension, all, (part) => rowOf(rows, 'L2', `${dimension}:${part}`)?.n);
        check('L2', dimension, declined, (part) => rowOf(rows, 'L2', `${dimension}:${part}`)?.value);
      }
    }
    expect(small, 'there were small cells').toBeGreaterThan(10);
  });

  it('say over several months no more than the months themselves', async () => {
    const alone = await Promise.all(months.map((month) => read(month, month)));
    for (const [from, first] of months.entries())
      for (const [to, last] of months.entries()) {
        if (to <= from) continue;
        for (const { id, stratum, n } of await read(first, last)) {
          if (!/^(gender|age|district|need|imd|ethnicity|interpreter|service):/.test(stratum) || id === 'E1')
            continue;
          const single = alone.slice(from, to + 1).map((rows) => rowOf(rows, id, stratum));
          const isKnown = single.every((row) => row !== undefined && row.n !== null);
          const sum = single.reduce((whole, row) => whole + (row?.n ?? 0), 0);
          if (n !== null) expect([isKnown, n], `${first} to ${last} ${id} ${stratum}`).toEqual([true, sum]);
        }
      }
  });

  it('say no more of two compared months than the pages of both', async () => {
    const view = (month: string) =>
      reportView(
        site.deps,
        {},
        { from: `${month}-01`, to: `${month}-${lastDay(month)}` },
        { isExact: false },
      );
    const isShown = (value: unknown) => value !== undefined && value !== '*' && value !== '–';
    for (const [index, month] of months.entries()) {
      if (index === 0) continue;
      const name = `seed ${seed}: ${month}`;
      const [now, before] = await Promise.all([view(month), view(months[index - 1]!)]);
      // The numbers of the month before, in the table and as marks on the chart, are those of its own page.
      expect(now.months, name).toEqual([now.months[0], before.months[0]]);
      const rowsOf = ({ main, more, tooFew, notKnown, reasons, changes, poorBands, equity }: typeof now) =>
        [main, more, tooFew, notKnown, reasons, changes, poorBands, equity].flat();
      const ofBefore = rowsOf(before);
      for (const row of rowsOf(now)) {
        const same = ofBefore.find((each) => each.name === row.name && each.part === row.part);
        const isKnown = isShown(row.value) && isShown(same?.value);
        if (!isKnown) expect(row.change, `${name} ${row.name} ${row.part}`).toBe('');
      }
      for (const { kind, rows } of now.groups) {
        const others = before.groups.find((each) => each.kind === kind)?.rows ?? [];
        for (const row of rows) {
          const same = others.find((each) => each.name === row.name);
          if (!isShown(row.sent) || !isShown(same?.sent))
            expect(row.change, `${name} ${kind} ${row.name}`).toBe('');
        }
      }
      const marks = `${now.mainChart}${now.shareChart}`.split('onward-chart__before').length - 1;
      const shares = (of: typeof now) =>
        [...of.main, ...of.more].filter(({ value }) => value.endsWith(' %')).map((row) => row.name);
      expect(marks, name).toBe(shares(now).filter((each) => shares(before).includes(each)).length);
    }
  });
});

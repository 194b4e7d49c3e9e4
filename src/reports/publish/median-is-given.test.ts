import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { type Journey, storeJourneys } from '../../../test/reports/journeys.ts';
import { minShownCount } from '../../platform/small-counts.ts';
import { publishAndSummarise } from './summarise.ts';

// Somebody saw no median of the days to the first answer although 20 of 35 referrals were answered: the others, who still waited, counted
// twice. Wherever half have an answer, the median has to be there.

const months = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'];
const answers = [
  'accepted+0.01',
  'accepted+3 started+5',
  'accepted+9 completed+20',
  'rejected+2:no-capacity',
];
const others = ['', 'cancelled+1:other', 'cancelled+30:other', 'rejected+4:died', 'rejected+12:no-answer'];
const referral = fc.record({
  line: fc.oneof(fc.constantFrom(...answers), fc.constantFrom(...others)),
  day: fc.integer({ min: 1, max: 28 }),
  gender: fc.constantFrom('female', 'male'),
  isByLink: fc.boolean(),
});
type Drawn = typeof referral extends fc.Arbitrary<infer Each> ? Each : never;

/** The month in which somebody saw no median. Of the women 10 of 18 have an answer, of the men 10 of 17. */
const twentyOf35 = Array.from({ length: 35 }, (_, index): Journey => {
  const day = String(2 + (index % 26)).padStart(2, '0');
  return {
    sent: `2025-12-${day}`,
    line: index < 20 ? answers[index % answers.length]! : '',
    gender: index % 2 === 0 ? 'female' : 'male',
  };
});

// It is part of the names, so that a failure can be repeated.
const seed = Date.now() % 1_000_000;
let site: TestApp;
let drawn: Drawn[][];
beforeAll(async () => {
  site = await makeApp();
  drawn = fc.sample(fc.array(referral, { minLength: 5, maxLength: 60, size: 'max' }), {
    seed,
    numRuns: months.length,
  });
  const journeys = drawn.flatMap((month, index) =>
    month.map(({ line, day, gender, isByLink }): Journey => {
      const by = line.endsWith('no-answer') ? 'site' : isByLink ? 'link' : undefined;
      const sent = `${months[index]}-${String(day).padStart(2, '0')}`;
      return { sent, line, gender, ...(by && { by }) };
    }),
  );
  await storeJourneys(site, [...journeys, ...twentyOf35]);
});
afterAll(() => site.close());

const isAnswered = ({ line }: Drawn) => answers.includes(line);

describe('the median of days to the first answer', () => {
  it('is given for 20 of 35, and for women and men among them', async () => {
    const medians = async (from: string, to: string) => {
      const { figures } = await publishAndSummarise(site.deps, {}, { from, to });
      const shown = figures.filter(({ id, value }) => id === 'T1' && value !== null);
      return shown.map(({ stratum }) => stratum);
    };
    const ofMonth = await medians('2025-12-01', '2025-12-31');
    expect(ofMonth).toEqual(expect.arrayContaining(['all', 'gender:female', 'gender:male']));
    expect(await medians('2025-12-02', '2025-12-27')).toContain('all');
  });

  it('is given wherever half are answered', async () => {
    for (const [index, month] of months.entries()) {
      // Whole months are published, and have groups of people; other days are counted again.
      for (const [first, last] of [
        [1, new Date(Date.UTC(2026, index + 1, 0)).getUTCDate()],
        [2, 27],
      ] as const) {
        const day = (number: number) => `${month}-${String(number).padStart(2, '0')}`;
        const { figures } = await publishAndSummarise(site.deps, {}, { from: day(first), to: day(last) });
        const all = drawn[index]!.filter((each) => each.day >= first && each.day <= last);
        for (const stratum of ['all', 'gender:female', 'gender:male']) {
          const found = figures.find((each) => each.id === 'T1' && each.stratum === stratum);
          // A group that would reveal another is hidden as a whole.
          if (stratum !== 'all' && (!found || found.n === null)) continue;
          const of = stratum === 'all' ? all : all.filter(({ gender }) => stratum.endsWith(`:${gender}`));
          const answered = of.filter(isAnswered).length;
          const name = `seed ${seed}: ${day(first)} ${stratum}, ${answered} of ${of.length}`;
          if (of.length < minShownCount) expect(found!.value, name).toBeNull();
          else if (2 * answered >= of.length) expect(found!.value, name).not.toBeNull();
        }
      }
    }
  });
});

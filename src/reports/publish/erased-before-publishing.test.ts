import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { type Journey, storeJourneys } from '../../../test/reports/journeys.ts';
import { endedOf, publishedMonths, storedFactsOfErased } from '../../../test/reports/stored.ts';
import { dayMs } from '../../platform/durations.ts';
import { followAndPublish } from './publish-months.ts';
import { publishAndSummarise, summariseExactly } from './summarise.ts';

// Two sites have the same journeys, and publish at the same times. One of them erases some of the referrals before, between and after.

const months = ['2026-08', '2026-09', '2026-10', '2026-11'];
const lines = [
  'accepted+1 contact+2 started+5 completed+30',
  'accepted+4 contact+6 started+8 completed+20',
  'rejected+2:no-capacity > +3 accepted+1 started+4 completed+20',
  'rejected+3:no-capacity > +25 rejected+6:out-of-area',
  'rejected+6:out-of-area',
  'rejected+3:client-declined',
  'rejected+4:died',
  'cancelled+4:other',
  'accepted+2 failed+9:failed-contact',
  'accepted+12 started+20',
  '',
];
const optional = { freq: 2, nil: undefined };
const journey = fc.record({
  sent: fc.tuple(fc.constantFrom(...months), fc.integer({ min: 10, max: 28 })).map((day) => day.join('-')),
  line: fc.constantFrom(...lines),
  // Some people were referred several times.
  person: fc.option(
    fc.integer({ min: 1, max: 40 }).map((number) => String(number).padStart(16, '0').padEnd(32, '0')),
    optional,
  ),
  birthDate: fc.constantFrom('2012-01-01', '1995-01-01', '1947-01-01', undefined),
  gender: fc.constantFrom('female', 'male', undefined),
  postcode: fc.constantFrom('ZT1 1DB', 'ZT2 1DB'),
  ethnicCategory: fc.constantFrom('A', 'M', undefined),
  needs: fc.subarray(['social-connection', 'benefits-debt', 'caring']),
  change: fc.option(fc.integer({ min: -5, max: 9 }), optional),
  loneliness: fc.option(fc.tuple(fc.integer({ min: 3, max: 9 }), fc.integer({ min: 3, max: 9 })), optional),
  goals: fc.option(fc.array(fc.constantFrom('achieved', 'partly', 'not', null), { maxLength: 3 }), optional),
  says: fc.constantFrom('got-help', 'did-not-get-help', undefined),
  letter: fc.constantFrom(0.5, 3, undefined),
  erased: fc.constantFrom('never', 'never', 'now', 'later', 'at last'),
});

// It is part of the names, so that a failure can be repeated.
const seed = Date.now() % 1_000_000;
const drawn = fc.sample(journey, { seed, numRuns: 160 });
let erasing: TestApp;
let keeping: TestApp;
let headers: Record<string, string>;
let ids: string[];
beforeAll(async () => {
  [erasing, keeping] = await Promise.all([makeApp(), makeApp()]);
  const journeys = drawn.map(({ erased, ...each }) => JSON.parse(JSON.stringify(each)) as Journey);
  ids = await storeJourneys(erasing, journeys);
  await storeJourneys(keeping, journeys);
});
afterAll(() => Promise.all([erasing.close(), keeping.close()]));

/** Erases each referral of these journeys that has ended. @returns how many */
async function eraseThose(when: (typeof drawn)[number]['erased']): Promise<number> {
  ({ headers } = await aTokenHolder(erasing.deps, { role: 'operator' }));
  const chosen = ids.filter((_, index) => drawn[index]!.erased === when);
  const ended = await endedOf(erasing.deps.db, chosen);
  const told = { who_was_told: 'The duty manager', when: erasing.clock.now().toISOString() };
  const payload = { ground: 'consent-withdrawn', reason: 'The person asked for it by letter.', told };
  for (const id of ended) {
    const url = `/api/referrals/${id}/erase`;
    const answer = await erasing.app.inject({ method: 'POST', url, headers, payload });
    expect(answer.statusCode, answer.body).toBe(200);
  }
  return ended.length;
}

async function moveOn(days: number): Promise<void> {
  for (const site of [erasing, keeping]) {
    site.clock.moveOn(days * dayMs);
    await followAndPublish(site.deps);
  }
}

const lastDay = (month: string) => new Date(Date.UTC(+month.slice(0, 4), +month.slice(5), 0)).getUTCDate();
const periodOf = (month: string) => ({ from: `${month}-01`, to: `${month}-${lastDay(month)}` });
const isPublished = async (month: string) => (await publishedMonths(erasing.deps.db)).includes(month);

/** Figures of a month: exact ones until it is published, and then as it was published, with every group of people. */
async function expectSame(when: string): Promise<void> {
  for (const month of months) {
    const name = `seed ${seed}: ${month} ${when}`;
    const read = (await isPublished(month)) ? publishAndSummarise : summariseExactly;
    const [one, other] = await Promise.all(
      [erasing, keeping].map(async ({ deps }) => {
        const { period, figures } = await read(deps, {}, periodOf(month));
        // Each site has a service of its own.
        const stratumOf = (stratum: string) => stratum.replace(/^service:.*/, 'service');
        return { period, figures: figures.map((each) => ({ ...each, stratum: stratumOf(each.stratum) })) };
      }),
    );
    expect(one, name).toEqual(other);
  }
}

describe('an erasure before a month is published', () => {
  it('leaves its figures as they would have been', async () => {
    expect(await eraseThose('now')).toBeGreaterThan(10);
    await expectSame('when none is published');
    await moveOn(10);
    await expectSame('when the first are published');
    expect(await eraseThose('later')).toBeGreaterThan(10);
    await moveOn(30);
    await expectSame('when more are published');
    expect(await eraseThose('at last')).toBeGreaterThan(10);
    await moveOn(200);
    for (const month of months) expect(await isPublished(month), month).toBe(true);
    await expectSame('when all are published');
  });

  it('keeps nothing about the person after that', async () => {
    const facts = await storedFactsOfErased(erasing.deps.db);
    expect(facts.length).toBeGreaterThan(20);
    const nothing = {
      ...{ erased: true, kept_until_published: false, person: null, age_band: null, gender: null },
      ...{ ethnic_group: null, interpreter: null, district: null, imd_decile: null, needs: [], goals: 0 },
      ...{
        changes: null,
        left_low_band: null,
        person_helped: null,
        end_reason: null,
        practice_ods_code: null,
      },
    };
    for (const each of facts) expect(each).toMatchObject(nothing);
  });
});

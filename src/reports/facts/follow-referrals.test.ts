import { afterAll, describe, expect, it } from 'vitest';
import { makeApp } from '../../../test/app/make-app.ts';
import { storeJourneys } from '../../../test/reports/journeys.ts';
import { correctPerson, storedFacts } from '../../../test/reports/stored.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { countByMonth } from '../figures/status-counts-store.ts';
import { markAllDaysStale } from './days-store.ts';
import { followReferrals } from './follow-referrals.ts';

const site = await makeApp();
afterAll(() => site.close());
const { db } = site.deps;
const person = 'a'.repeat(32);
const [first, second] = await storeJourneys(site, [
  { sent: '2026-06-01', line: 'accepted+1 started+2 completed+5', person },
  { sent: '2026-06-10', line: '', person },
]);
await followReferrals(site.deps);

describe('the facts of referrals', () => {
  it('forget “referred again” once the later name is corrected', async () => {
    const isAgain = async () => (await storedFacts(db, first!))[0]!.referred_again;
    expect(await isAgain()).toBe(true);
    await correctPerson(db, second!, { key: Buffer.from('b'.repeat(32), 'hex'), at: site.clock.now() });
    await followReferrals(site.deps);
    expect(await isAgain()).toBe(false);
  });

  it('are counted by month also while a day is counted again', async () => {
    const period = { from: '2026-06-01', to: '2026-06-30', now: site.clock.now() };
    const cohort = { ...period, includesSimulated: true, excludedServices: [] };
    const counted = await countByMonth(db, cohort);
    expect(counted).toMatchObject([{ month: '2026-06-01', sent: 2, completed: 1, waiting: 1 }]);
    await inTransaction(db, markAllDaysStale);
    expect(await countByMonth(db, cohort)).toEqual(counted);
  });
});

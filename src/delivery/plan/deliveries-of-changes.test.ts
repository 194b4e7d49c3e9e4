import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countJobs } from '../../../test/app/jobs.ts';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import type { exampleReferral } from '../../../test/delivery/example-referral.ts';
import { storeReferral, tellOfChange, testPlatform } from '../../../test/delivery/test-site.ts';
import { type Database, inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Referral } from '../../referrals/index.ts';
import { recordAttempt, startAttempt } from '../model/attempts-store.ts';
import { listDeliveriesOf } from '../model/deliveries-store.ts';
import { deliveryKnowledge, deliveryListener } from './deliveries-of-changes.ts';

let database: Database;
let site: Platform;
const clock = manualClock();

beforeAll(async () => {
  database = await testDatabase();
  site = testPlatform('test', { db: database.db, clock, dataDir: tmpdir() });
});
afterAll(() => database.close());

async function made(given: Parameters<typeof exampleReferral>[0] = {}): Promise<Referral> {
  const referral = await storeReferral(database.pool, given);
  await tellOfChange(site, referral, null);
  return referral;
}

const told = (referral: Referral) => listDeliveriesOf(database.db, referral.id);

/** How many deliveries of a referral have a job. */
async function jobsOf(referral: Referral): Promise<number> {
  const counts = await Promise.all(
    (await told(referral)).map(({ id }) => countJobs(database.pool, { about: id })),
  );
  return counts.filter((count) => count > 0).length;
}

describe('the delivery room above the referrals', () => {
  it('queues a delivery with a job for each receiver', async () => {
    const referral = await made();
    expect(await told(referral)).toMatchObject([
      { leg: 'service', purpose: 'referral', status: 'queued', channel: null, simulated: true, attempts: [] },
      { leg: 'gp_practice', purpose: 'referral', status: 'queued', detail: null },
    ]);
    expect(await jobsOf(referral)).toBe(2);
  });

  it('suppresses the copy without consent, with the reason', async () => {
    const { consent } = (await made()).content;
    const referral = await made({ content: { consent: { ...consent, share_with_gp: false } } });
    expect((await told(referral))[1]).toMatchObject({
      status: 'suppressed',
      detail: 'The patient did not agree that their GP practice is told.',
    });
    expect(await jobsOf(referral)).toBe(1);
    await tellOfChange(site, { ...referral, status: 'completed', version: 3 }, 'accepted');
    expect((await told(referral)).map(({ status }) => status)).toEqual([
      'suppressed',
      'suppressed',
      'suppressed',
    ]);
    expect(await jobsOf(referral)).toBe(1);
  });

  it('stops a letter not yet sent, and gives no notice of the end', async () => {
    for (const [status, detail] of [
      ['entered-in-error', 'The referral was made in error.'],
      ['cancelled', 'The referral ended before this was sent.'],
    ] as const) {
      const referral = await made();
      await tellOfChange(site, { ...referral, status, version: 2 }, 'requested', 'referrer');
      const toService = (await told(referral)).filter(({ leg }) => leg === 'service');
      expect(toService).toMatchObject([{ purpose: 'referral', status: 'suppressed', detail }]);
    }
  });

  it('gives notice of the end to a service that may have a letter', async () => {
    const referral = await made();
    const { id } = (await told(referral))[0]!;
    const at = clock.now();
    const unclear = {
      outcome: 'uncertain',
      detail: 'No answer.',
      externalId: null,
      followUpAt: null,
    } as const;
    await startAttempt(database.db, id, 'email', null, at);
    await inTransaction(database.db, (trx) =>
      recordAttempt(trx, { deliveryId: id, number: 1, channel: 'email', at, ...unclear }, 'uncertain'),
    );
    await tellOfChange(site, { ...referral, status: 'cancelled', version: 2 }, 'requested', 'referrer');
    const toService = (await told(referral)).filter(({ leg }) => leg === 'service');
    expect(toService).toMatchObject([
      { purpose: 'referral', status: 'suppressed' },
      { purpose: 'outcome', status: 'queued' },
    ]);
  });

  it('leaves nothing when the change is rolled back', async () => {
    const referral = await storeReferral(database.pool);
    const undone = inTransaction(database.db, async (trx) => {
      await deliveryListener.onStatusChange(trx, [
        { referral, from: null, by: 'referrer', actorId: null, at: clock.now() },
      ]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await told(referral)).toEqual([]);
    expect(await jobsOf(referral)).toBe(0);
  });

  it('acknowledges the service’s delivery when it answers', async () => {
    const referral = await made();
    await tellOfChange(site, { ...referral, status: 'rejected', version: 2 }, 'requested');
    expect(await told(referral)).toMatchObject([
      { leg: 'service', status: 'acknowledged' },
      { leg: 'gp_practice', purpose: 'referral', status: 'queued' },
      { leg: 'gp_practice', purpose: 'outcome', status: 'queued' },
    ]);
    expect(await jobsOf(referral)).toBe(3);
  });

  it('returns the summaries of each referral', async () => {
    const [one, other] = [await made(), await made({ gp_practice: null })];
    const summaries = await deliveryKnowledge.loadDeliverySummaries(database.db, [one.id, other.id]);
    const words = (id: string) => summaries.get(id)!.map(({ leg, status }) => `${leg} ${status}`);
    expect(words(one.id)).toEqual(['service queued', 'gp_practice queued']);
    expect(words(other.id)).toEqual(['service queued', 'gp_practice suppressed']);
  });
});

import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdJobs, limitAttempts, putOffJobs, takeJobs } from '../../../test/app/jobs.ts';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { jobsFor, storeReferral, tellOfChange, testPlatform } from '../../../test/delivery/test-site.ts';
import { type Database, holdTaskLock, inTransaction } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { startAttempt } from '../model/attempts-store.ts';
import { listDeliveriesOf } from '../model/deliveries-store.ts';
import { deliver } from './deliver.ts';
import { restoreDeliveryJobs } from './restore-jobs.ts';

let database: Database;
let site: DeliveryDeps;
const clock = manualClock();

beforeAll(async () => {
  database = await testDatabase();
  site = testPlatform('test', { db: database.db, clock, dataDir: tmpdir() });
});
afterAll(() => database.close());

/** A queued delivery to a service, with its job. */
async function aDelivery(): Promise<string> {
  const referral = await storeReferral(database.pool, { gp_practice: null });
  await tellOfChange(site, referral, null);
  return (await listDeliveriesOf(site.db, referral.id)).find(({ leg }) => leg === 'service')!.id;
}

async function jobsAfterTending(id: string): Promise<number> {
  await restoreDeliveryJobs(site);
  return (await jobsFor(database.pool, id)).length;
}

const loseJobs = (id: string) => takeJobs(database.pool, { about: id });

describe('the job that restores lost jobs', () => {
  it('adds one new job a minute after the job was lost', async () => {
    const id = await aDelivery();
    await loseJobs(id);
    clock.moveOn(59_000);
    expect(await jobsAfterTending(id)).toBe(0);
    clock.moveOn(2000);
    expect(await jobsAfterTending(id)).toBe(1);
    expect(await jobsAfterTending(id)).toBe(1);
    await deliver(site, { delivery_id: id });
    await loseJobs(id);
    clock.moveOn(61_000);
    expect(await jobsAfterTending(id)).toBe(0);
  });

  it('does the same for a delivery that was being sent', async () => {
    const id = await aDelivery();
    await startAttempt(site.db, id, 'inbox', null, clock.now());
    await loseJobs(id);
    clock.moveOn(61_000);
    expect(await jobsAfterTending(id)).toBe(1);
  });

  it('counts waiting and running jobs, but not failed ones', async () => {
    const id = await aDelivery();
    clock.moveOn(61_000);
    expect(await jobsAfterTending(id)).toBe(1);
    await limitAttempts(database.pool, { about: id });
    const held = await holdJobs(database.pool, 'deliver-new');
    expect(await jobsAfterTending(id)).toBe(1);
    await held.end('failed');
    expect(await jobsAfterTending(id)).toBe(2);
  });

  it('ignores jobs postponed while the clock was a day ahead', async () => {
    clock.moveOn(24 * 3_600_000);
    const id = await aDelivery();
    await putOffJobs(database.pool, 24 * 3600, { about: id });
    expect(await jobsAfterTending(id)).toBe(1);
    clock.moveOn(-24 * 3_600_000);
    expect(await jobsAfterTending(id)).toBe(2);
    expect(await jobsAfterTending(id)).toBe(2);
  });

  it('waits for another process, and then sees its jobs', async () => {
    const id = await aDelivery();
    await loseJobs(id);
    clock.moveOn(61_000);
    let restoring: Promise<void> | undefined;
    await inTransaction(site.db, async (trx) => {
      await holdTaskLock(trx, 'restore-delivery-jobs');
      restoring = restoreDeliveryJobs(site);
      await Promise.race([restoring, delay(300)]);
      await addJobs(trx, 'deliver', [{ delivery_id: id }]);
    });
    await restoring;
    expect(await jobsFor(database.pool, id)).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { holdJobs, takeJobs } from '../../../test/app/jobs.ts';
import { deliveriesFixture } from '../../../test/delivery/deliveries-fixture.ts';
import { setDeliveryStatus } from '../../../test/delivery/stored.ts';
import { jobsFor } from '../../../test/delivery/test-site.ts';
import { auditedActions } from '../../../test/referrals/stored.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { addAttemptJobAfterPause } from '../send/jobs-store.ts';

const { site, aSilentService } = await deliveriesFixture();
const { pool } = site.database;
const { headers } = await aTokenHolder(site.deps, { role: 'operator' });

async function retry(id: string): Promise<number> {
  const answer = await site.app.inject({ method: 'POST', url: `/api/deliveries/${id}/retry`, headers });
  return answer.statusCode;
}

/** A delivery that was tried and is to be sent again, and has no job yet. */
async function aDelivery() {
  const { id, referral } = await aSilentService();
  await takeJobs(pool, { about: id });
  return { id, referral };
}

/** Whether each job is to run now. */
const jobs = async (id: string) => (await jobsFor(pool, id)).map(({ pause }) => pause <= 0);

describe('a retry by an operator', () => {
  it('pressed twice makes one job, even if the first has begun', async () => {
    const { id, referral } = await aDelivery();
    expect([await retry(id), await retry(id)]).toEqual([200, 200]);
    expect(await jobs(id)).toEqual([true]);
    const held = await holdJobs(pool, 'deliver');
    expect(await retry(id)).toBe(200);
    expect(await jobs(id)).toEqual([true]);
    await held.end();
    const retries = await auditedActions(site.deps.db, referral.id);
    expect(retries.filter((action) => action === 'delivery.retried')).toHaveLength(1);
  });

  it('replaces the attempt that was planned for later', async () => {
    const { id } = await aDelivery();
    await setDeliveryStatus(site.deps.db, id, 'queued');
    await inTransaction(site.deps.db, (trx) => addAttemptJobAfterPause(trx, id, 150));
    expect(await retry(id)).toBe(200);
    expect(await jobs(id)).toEqual([true]);
  });
});

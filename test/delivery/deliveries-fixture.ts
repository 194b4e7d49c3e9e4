import { afterAll } from 'vitest';
import { listDeliveriesOf } from '../../src/delivery/model/deliveries-store.ts';
import { deliver } from '../../src/delivery/send/deliver.ts';
import type { Referral } from '../../src/referrals/index.ts';
import { makeApp } from '../app/make-app.ts';
import { storeReferral, tellOfChange } from './test-site.ts';

/** A test site, and what became of the messages about a referral. */
export async function deliveriesFixture() {
  const site = await makeApp();
  afterAll(() => site.close());

  async function deliveriesByReceiver({ id }: Pick<Referral, 'id'>) {
    const found = await listDeliveriesOf(site.deps.db, id);
    return Object.fromEntries(found.map((each) => [each.leg, each]));
  }

  /** A referral whose service has had the message, but no answer. */
  async function aSilentService(): Promise<{ id: string; referral: Referral }> {
    const referral = await storeReferral(site.database.pool, { gp_practice: null });
    await tellOfChange(site.deps, referral, null);
    const { id } = (await deliveriesByReceiver(referral)).service!;
    await deliver(site.deps, { delivery_id: id });
    return { id, referral };
  }

  return { site, deliveriesByReceiver, aSilentService };
}

import { newId } from '../platform/ids/index.ts';
import { addJobs } from '../platform/jobs/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { ReferralListener } from '../referrals/index.ts';
import { isSimulated } from './choose-channel.ts';
import { isAnswer, planDeliveries } from './plan-deliveries.ts';
import { recordDeliveryEvent } from './record-delivery-event.ts';
import { acknowledgeServiceLeg, insertDeliveries, listSummaries } from './store.ts';

/**
 * Writes down, in the transaction that changes a referral, whom to tell of it, with the jobs that will. Making a
 * referral waits for this, so it is two statements however many legs there are.
 */
export function createReferralListener({
  settings,
}: Pick<Platform, 'settings'>): Omit<ReferralListener, 'onMessage'> {
  return {
    async onChange(trx, change) {
      const { referral, at } = change;
      if (isAnswer(change)) {
        for (const id of await acknowledgeServiceLeg(trx, referral.id, at))
          await recordDeliveryEvent(trx, { id, referralId: referral.id }, 'acknowledged', at);
      }
      const planned = planDeliveries(change);
      if (planned.length === 0) return;
      const deliveries = planned.map((each) => ({
        ...each,
        id: newId(at.getTime()),
        messageId: each.suppressedBecause === null ? newId(at.getTime()) : null,
      }));
      const { id, version } = referral;
      await insertDeliveries(
        trx,
        { id, version, simulated: isSimulated(settings.mode, referral) },
        deliveries,
        at,
      );
      const queued = deliveries.filter((each) => each.messageId !== null);
      if (queued.length === 0) return;
      await addJobs(
        trx,
        'deliver',
        queued.map((each) => ({ delivery_id: each.id })),
      );
    },
    summaries: listSummaries,
  };
}

import type { Trx } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import { addJobs } from '../platform/jobs/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { ReferralListener } from '../referrals/index.ts';
import { isSimulated } from './choose-channel.ts';
import { comeToStatus } from './come-to-status.ts';
import { isAnswer, noPractice, type PlannedDelivery, planDeliveries } from './plan-deliveries.ts';
import { acknowledgeServiceLeg, deleteDeliveries, insertDeliveries, listSummaries } from './store.ts';
import { openRow, resolveUnanswered } from './worklist/store.ts';

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
          await comeToStatus(
            trx,
            { id, referralId: referral.id },
            { status: 'acknowledged', reason: 'answered', at },
          );
      } else if (change.from === 'requested') await resolveUnanswered(trx, referral.id, at);
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
      await listMissingPractices(trx, deliveries, at);
      const queued = deliveries.filter((each) => each.messageId !== null);
      if (queued.length === 0) return;
      await addJobs(
        trx,
        'deliver',
        queued.map((each) => ({ delivery_id: each.id })),
      );
    },
    /** What rests is not sent (deliver.ts), and is again when it no longer rests (tend-deliveries.ts). */
    async onRecord(trx, { referral, is }) {
      if (is === 'erased') await deleteDeliveries(trx, referral.id);
    },
    summaries: listSummaries,
  };
}

/** The person agreed that their practice is told, and nobody said which one it is: an operator may find out. */
async function listMissingPractices(
  trx: Trx,
  deliveries: readonly (PlannedDelivery & { id: string })[],
  at: Date,
): Promise<void> {
  for (const { id: deliveryId, purpose, suppressedBecause } of deliveries) {
    if (suppressedBecause !== noPractice || purpose !== 'referral') continue;
    await openRow(trx, { deliveryId, kind: 'no-practice', reason: noPractice, at });
  }
}

import type { Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import type { ReferralChange, ReferralListener } from '../../referrals/index.ts';
import { announceStatus } from '../model/announce-status.ts';
import type { PlannedDelivery } from '../model/delivery.ts';
import {
  acknowledgeServiceDelivery,
  deleteDeliveries,
  insertDeliveries,
  listSummaries,
  type NewDelivery,
} from '../model/store.ts';
import { addToWorklist, resolveUnanswered } from '../model/worklist-store.ts';
import { isAnswer, noPractice, planDeliveries } from './plan-deliveries.ts';

/**
 * Stores the deliveries that changes of referrals make necessary, with their job, in the transaction of the changes.
 * Submitting a referral waits for this, so one statement stores all deliveries, and one adds their job.
 */
export function createReferralListener(): Omit<ReferralListener, 'onMessage'> {
  return {
    async onChange(trx, changes) {
      for (const change of changes) await stopExpectingAnswer(trx, change);
      const deliveries = changes.flatMap((change) =>
        planDeliveries(change).map((planned) => newDelivery(change, planned)),
      );
      if (deliveries.length === 0) return;
      await insertDeliveries(trx, deliveries);
      await listMissingPractices(trx, deliveries);
      const queued = deliveries.filter((each) => each.messageId !== null).map(({ id }) => id);
      if (queued.length > 0) await addJobs(trx, 'deliver-new', [{ delivery_ids: queued }]);
    },
    // Deliveries of a restricted referral are not sent (deliver.ts) until it is unrestricted (restore-jobs.ts).
    async onRecordChange(trx, { referral, kind }) {
      if (kind === 'erased') await deleteDeliveries(trx, referral.id);
    },
    deliverySummaries: listSummaries,
  };
}

/** After the service's answer, or once the service need not answer, none is expected any more. */
async function stopExpectingAnswer(trx: Trx, change: ReferralChange): Promise<void> {
  const { referral, at } = change;
  if (isAnswer(change)) {
    for (const id of await acknowledgeServiceDelivery(trx, referral.id, at))
      await announceStatus(
        trx,
        { id, referralId: referral.id },
        { status: 'acknowledged', reason: 'answered', at },
      );
  } else if (change.from === 'requested') await resolveUnanswered(trx, referral.id, at);
}

function newDelivery({ referral, at }: ReferralChange, planned: PlannedDelivery): NewDelivery {
  return {
    ...planned,
    id: newId(at.getTime()),
    referralId: referral.id,
    referralVersion: referral.version,
    simulated: referral.simulated,
    messageId: planned.suppressedBecause === null ? newId(at.getTime()) : null,
    at,
  };
}

/** Puts deliveries without a named practice on the worklist: an operator may find out which practice it is. */
async function listMissingPractices(trx: Trx, deliveries: readonly NewDelivery[]): Promise<void> {
  for (const { id: deliveryId, purpose, suppressedBecause, at } of deliveries) {
    if (suppressedBecause !== noPractice || purpose !== 'referral') continue;
    await addToWorklist(trx, { deliveryId, kind: 'no-practice', reason: noPractice, at });
  }
}

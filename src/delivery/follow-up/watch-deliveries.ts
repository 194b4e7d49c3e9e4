import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { dayMs, hourMs } from '../../platform/durations.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { findReferral } from '../../referrals/index.ts';
import type { Channel } from '../channels/channel.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { announceStatus } from '../model/announce-status.ts';
import { addUndelivered, reassignRows } from '../model/undelivered-store.ts';
import {
  expireDelivery,
  lockDueUnanswered,
  setNextCheck,
  type UnansweredDelivery,
} from './follow-up-store.ts';

const escalatesAfterMs = 5 * dayMs;
/** The job runs every minute. The next run takes the rest. */
const maxDeliveries = 200;

/**
 * The `watch-deliveries` job: puts a delivery on the worklist after a day, and once more after five, unless its receiver has answered.
 * After five days a message that was sent and never confirmed has `expired`. If its channel can track the message, it is tracked first
 * (ask-tracking.ts). Rows of the worklist whose owner is no operator any more get another.
 */
export async function watchDeliveries(deps: DeliveryDeps): Promise<void> {
  const { db, clock, settings, channels } = deps;
  const at = clock.now();
  await inTransaction(db, async (trx) => {
    // Everybody else locks a delivery before its row on the worklist. This locks rows first, and waits for no delivery after that.
    await reassignRows(trx);
    for (const each of await lockDueUnanswered(trx, at, maxDeliveries)) {
      const channel = channels.outgoing.find(({ name }) => name === each.channel);
      const wentOut = settings.mode === 'live' && !each.simulated;
      const canBeTracked = channel?.track && each.status === 'sent' && wentOut;
      if (canBeTracked && each.isAnswerStillNeeded) await addTrackingJob(trx, channel, each, at);
      else await escalateIfUnanswered(trx, channel, each, at);
    }
  });
}

/** Tracking calls another system, so it is a job of its own. If that is lost, the next check is in an hour. */
async function addTrackingJob(
  trx: Trx,
  channel: Channel,
  { id, referralId, leg }: UnansweredDelivery,
  at: Date,
): Promise<void> {
  const referral = await findReferral(trx, referralId);
  const receiver = referral && (await channel.systemToCall?.(trx, { leg, referral }));
  await setNextCheck(trx, id, new Date(at.getTime() + hourMs));
  await addJobs(trx, 'ask-tracking', [{ delivery_id: id, receiver }]);
}

/**
 * Puts a delivery on the worklist if its receiver should have answered it by now, and sets the next check. The check ends
 * if no answer is expected.
 */
export async function escalateIfUnanswered(
  trx: Trx,
  channel: Channel | undefined,
  delivery: UnansweredDelivery,
  at: Date,
): Promise<void> {
  const { id: deliveryId, leg, status } = delivery;
  if (!isAnswerDue(channel, delivery)) return setNextCheck(trx, deliveryId, null);
  const escalatesAt = new Date(delivery.sentAt.getTime() + escalatesAfterMs);
  if (at < escalatesAt) {
    // A practice that has received its letter may take some days to confirm it.
    if (status === 'sent' || leg === 'service') {
      const reason = whyListed(delivery, 'a day');
      await addUndelivered(trx, { deliveryId, kind: 'unanswered', reason, at });
    }
    return setNextCheck(trx, deliveryId, escalatesAt);
  }
  const reason = whyListed(delivery, 'five days');
  if (status === 'sent') {
    await expireDelivery(trx, deliveryId, reason, at);
    await announceStatus(trx, delivery, { status: 'expired', reason, at });
  } else await setNextCheck(trx, deliveryId, null);
  const kind = status === 'sent' ? 'expired' : 'unanswered';
  await addUndelivered(trx, { deliveryId, kind, reason, escalated: true, at });
}

function isAnswerDue(channel: Channel | undefined, delivery: UnansweredDelivery): boolean {
  const { isAnswerStillNeeded, status, leg, purpose } = delivery;
  if (!isAnswerStillNeeded) return false;
  if (status === 'sent') return true;
  // Some channels never say more than that the receiver has the message.
  return (leg === 'service' && purpose === 'referral') || channel?.confirmsAfterReceipt?.(leg) === true;
}

function whyListed({ receiverName, leg, status, channel }: UnansweredDelivery, within: string): string {
  if (channel === 'mesh' && status === 'sent')
    return `${receiverName} has not collected the message from the NHS message exchange within ${within}.`;
  if (leg === 'gp_practice' && status === 'received')
    return `${receiverName} has the letter, but has not confirmed within ${within} that it is for a patient of theirs.`;
  return `${receiverName} has not answered within ${within}.`;
}

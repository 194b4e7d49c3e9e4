import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { findReferral } from '../../referrals/index.ts';
import type { Channel } from '../channels/channel.ts';
import { createChannels } from '../create-channels.ts';
import { announceStatus } from '../model/announce-status.ts';
import { addToWorklist } from '../model/worklist-store.ts';
import { lockDueUnanswered, setNextCheck, type UnansweredDelivery } from './follow-up-store.ts';

const hour = 3_600_000;
const escalatesAfterMs = 5 * 24 * hour;
/** The rest has its turn a minute later. */
const maxConcurrent = 200;

/**
 * The `watch-deliveries` job: sees to it that somebody knows of every message that its receiver has not answered within
 * a day, and again after five days. What was handed over and never confirmed is then `expired`; but a message that its
 * channel can be asked about is asked about first (ask-tracking.ts).
 */
export async function watchDeliveries(deps: Platform): Promise<void> {
  const { db, clock, settings } = deps;
  const at = clock.now();
  const { live } = createChannels(deps);
  await inTransaction(db, async (trx) => {
    for (const each of await lockDueUnanswered(trx, at, maxConcurrent)) {
      const channel = live.find(({ name }) => name === each.channel);
      const wentOut = settings.mode === 'live' && !each.simulated;
      const canBeAskedAbout = channel?.track && each.status === 'sent' && wentOut;
      if (canBeAskedAbout && each.awaited) await askFirst(trx, channel, each, at);
      else await recordNoAnswer(trx, channel, each, at);
    }
  });
}

/** The network is not waited for here. Should the job be lost, there is another in an hour. */
async function askFirst(
  trx: Trx,
  channel: Channel,
  { id, referralId, leg }: UnansweredDelivery,
  at: Date,
): Promise<void> {
  const referral = await findReferral(trx, referralId);
  const receiver = referral && (await channel.receiver?.(trx, { leg, referral }));
  await setNextCheck(trx, id, new Date(at.getTime() + hour));
  await addJobs(trx, 'ask-tracking', [{ delivery_id: id, receiver }]);
}

/** Tells somebody that nothing was heard of a delivery, or that it was collected and not answered. */
export async function recordNoAnswer(
  trx: Trx,
  channel: Channel | undefined,
  delivery: UnansweredDelivery,
  at: Date,
): Promise<void> {
  const { id: deliveryId, leg, status } = delivery;
  if (!isAnswerDue(channel, delivery)) return setNextCheck(trx, deliveryId, null);
  const escalatesAt = new Date(delivery.sentAt.getTime() + escalatesAfterMs);
  if (at < escalatesAt) {
    // A practice that has its letter has it: confirming that it is in the record may take some days.
    if (status === 'sent' || leg === 'service') {
      const reason = inWords(delivery, 'a day');
      await addToWorklist(trx, { deliveryId, kind: 'unanswered', reason, at });
    }
    return setNextCheck(trx, deliveryId, escalatesAt);
  }
  const reason = inWords(delivery, 'five days');
  await setNextCheck(trx, deliveryId, null, status === 'sent' ? { expired: reason, at } : undefined);
  if (status === 'sent') await announceStatus(trx, delivery, { status: 'expired', reason, at });
  const kind = status === 'sent' ? 'expired' : 'unanswered';
  await addToWorklist(trx, { deliveryId, kind, reason, escalated: true, at });
}

/** What its receiver has may be all that can be heard of a message. */
function isAnswerDue(channel: Channel | undefined, delivery: UnansweredDelivery): boolean {
  const { awaited, status, leg, purpose } = delivery;
  if (!awaited || status === 'sent') return awaited;
  return (leg === 'service' && purpose === 'referral') || channel?.confirmsReceived?.(leg) === true;
}

function inWords({ recipientName, leg, status, channel }: UnansweredDelivery, within: string): string {
  if (channel === 'mesh' && status === 'sent')
    return `${recipientName} has not collected the message from the NHS message exchange within ${within}.`;
  if (leg === 'gp_practice' && status === 'received')
    return `${recipientName} has the letter, but has not confirmed within ${within} that it is for a patient of theirs.`;
  return `${recipientName} has not answered within ${within}.`;
}

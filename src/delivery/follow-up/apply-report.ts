import type { Trx } from '../../platform/database/index.ts';
import type { DeliveryStatus } from '../../referrals/index.ts';
import type { DeliveryReport } from '../channels/channel.ts';
import { announceStatus } from '../model/announce-status.ts';
import { addPromptUpdateJob, queueDeliveries } from '../model/deliver-jobs.ts';
import { type LockedDelivery, lockReportedDelivery, recordReport } from './follow-up-store.ts';

/** The statuses in which each report still changes a delivery. Nothing undoes a confirmation. */
const applicableStatuses: Readonly<Record<DeliveryReport['status'], readonly DeliveryStatus[]>> = {
  acknowledged: ['queued', 'sending', 'sent', 'received', 'uncertain', 'failed', 'expired'],
  received: ['queued', 'sending', 'sent', 'uncertain', 'failed', 'expired'],
  // A practice's system may receive a letter before somebody notices that it is the wrong practice.
  failed: ['sending', 'sent', 'received', 'uncertain'],
  expired: ['sending', 'sent', 'uncertain'],
};

/**
 * Takes in a report by a channel: finds the delivery that it is about, and applies it. If the message did not arrive, the receiver's next
 * channel is tried, unless the practice said that the person is not its patient: it must not get the letter a second time.
 * @returns false when somebody has to look at the report: no message matches it, or a practice refuses a letter that was
 * confirmed before, so that it may be at the wrong practice.
 */
export async function receiveReport(
  trx: Trx,
  channel: string,
  report: DeliveryReport,
  at: Date,
): Promise<boolean> {
  const delivery = await lockReportedDelivery(trx, channel, report.about);
  if (!delivery) return false;
  const { leg, status } = delivery;
  if (leg === 'gp_practice' && status === 'acknowledged' && report.status === 'failed') return false;
  await applyReport(trx, delivery, report, at);
  return true;
}

/** Applies a report to a locked delivery, if it says more than is known. `recordReport` stores it. @returns whether it changed the delivery. */
export async function applyReport(
  trx: Trx,
  delivery: LockedDelivery,
  { status: outcome, detail, cause }: Pick<DeliveryReport, 'status' | 'detail' | 'cause'>,
  at: Date,
): Promise<boolean> {
  if (!applicableStatuses[outcome].includes(delivery.status)) return false;
  const status = outcome === 'failed' && cause !== 'not-their-patient' ? 'queued' : outcome;
  await recordReport(trx, { id: delivery.id, status, outcome, detail, cause, at });
  if (cause) await addPromptUpdateJob(trx);
  if (status === 'queued') await queueDeliveries(trx, [delivery.id]);
  else await announceStatus(trx, delivery, { status, reason: detail, at });
  return true;
}

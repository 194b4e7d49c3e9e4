import type { Trx } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import type { DeliveryStatus } from '../../referrals/index.ts';
import type { DeliveryReport } from '../channels/channel.ts';
import { announceStatus } from '../model/announce-status.ts';
import { type LockedDelivery, lockReportedDelivery, recordReport } from './follow-up-store.ts';

/** From which states each kind of news is still news. What somebody has confirmed is not undone. */
const applicableStatuses: Readonly<Record<DeliveryReport['status'], readonly DeliveryStatus[]>> = {
  acknowledged: ['queued', 'sending', 'sent', 'received', 'uncertain', 'failed', 'expired'],
  received: ['queued', 'sending', 'sent', 'uncertain', 'failed', 'expired'],
  // Also after it was received: a practice's system takes a letter before somebody finds it is the wrong practice.
  failed: ['sending', 'sent', 'received', 'uncertain'],
  expired: ['sending', 'sent', 'uncertain'],
};

/**
 * Takes in what was heard of a message after it was sent. Where it did not arrive, the receiver's next channel is tried.
 * @returns false where the site can make nothing of it, and somebody is to look: it knows of no such message, or a practice
 * turns away what was confirmed, so that a letter may lie at the wrong one.
 */
export async function receiveReport(
  trx: Trx,
  channel: string,
  news: DeliveryReport,
  at: Date,
): Promise<boolean> {
  const delivery = await lockReportedDelivery(trx, channel, news.about);
  if (!delivery) return false;
  const { receiverKind, status } = delivery;
  if (receiverKind === 'gp_practice' && status === 'acknowledged' && news.status === 'failed') return false;
  await applyReport(trx, delivery, news, at);
  return true;
}

/** The same for a delivery that is locked. @returns whether it was news. */
export async function applyReport(
  trx: Trx,
  delivery: LockedDelivery,
  { status: outcome, detail }: Pick<DeliveryReport, 'status' | 'detail'>,
  at: Date,
): Promise<boolean> {
  if (!applicableStatuses[outcome].includes(delivery.status)) return false;
  const status = outcome === 'failed' ? 'queued' : outcome;
  await recordReport(trx, { id: delivery.id, status, outcome, detail, at });
  if (status === 'queued') await addJobs(trx, 'deliver', [{ delivery_id: delivery.id }]);
  else await announceStatus(trx, delivery, { status, reason: detail, at });
  return true;
}

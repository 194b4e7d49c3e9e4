import { inTransaction, type Trx } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { comeToStatus } from './come-to-status.ts';
import { type Silent, setLookAgain, takeSilent } from './watch-store.ts';
import { openRow } from './worklist/store.ts';

const hour = 3_600_000;
const escalatesAfterMs = 5 * 24 * hour;
/** The rest has its turn a minute later. */
const mostAtOnce = 200;

/**
 * The `watch-deliveries` job: sees to it that somebody knows of every message that its receiver has not answered within
 * a day, and again after five days. What was handed over and never confirmed is then `expired`.
 */
export async function watchDeliveries({ db, clock }: Platform): Promise<void> {
  const at = clock.now();
  await inTransaction(db, async (trx) => {
    for (const each of await takeSilent(trx, at, mostAtOnce)) await noteSilence(trx, each, at);
  });
}

async function noteSilence(trx: Trx, delivery: Silent, at: Date): Promise<void> {
  const { id: deliveryId, recipientName, sentAt } = delivery;
  if (!delivery.awaited) return setLookAgain(trx, deliveryId, null);
  const escalatesAt = new Date(sentAt.getTime() + escalatesAfterMs);
  if (at < escalatesAt) {
    const reason = `${recipientName} has not answered within a day.`;
    await openRow(trx, { deliveryId, kind: 'unanswered', reason, at });
    return setLookAgain(trx, deliveryId, escalatesAt);
  }
  const reason = `${recipientName} has not answered within five days.`;
  await setLookAgain(trx, deliveryId, null, delivery.status === 'sent' ? { expired: reason, at } : undefined);
  if (delivery.status === 'sent') await comeToStatus(trx, delivery, { status: 'expired', reason, at });
  const kind = delivery.status === 'sent' ? 'expired' : 'unanswered';
  await openRow(trx, { deliveryId, kind, reason, escalated: true, at });
}

import type { Trx } from '../../platform/database/index.ts';
import { addKeyedJob } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { findNextTime } from '../model/messages-store.ts';
import { lockWebhooks, queueOf } from '../model/webhooks-store.ts';

/**
 * Sees to it that a webhook's one job runs when there is next something to send. To be called at the end of every
 * transaction that may change when that is: whoever comes second waits for the first and then sees what it queued, so
 * that the job is never put off past a message, but for `minSeconds`. Its queue is its own: one attempt at a time, in the
 * events' order.
 */
export async function scheduleCalls(
  trx: Trx,
  { clock }: Platform,
  webhookId: string,
  minSeconds = 0,
): Promise<void> {
  await lockWebhooks(trx, [webhookId]);
  const next = await findNextTime(trx, webhookId);
  if (!next) return;
  const inSeconds = Math.max(minSeconds, (next.at.getTime() - clock.now().getTime()) / 1000);
  const key = queueOf(webhookId);
  const payload = { webhook_id: webhookId, receiver: new URL(next.url).host };
  await addKeyedJob(trx, 'call-webhook', payload, { key, inSeconds, queue: key });
}

import type { Trx } from '../../platform/database/index.ts';
import { addKeyedJob } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { findNextCallTime } from '../model/calls-store.ts';
import { lockWebhooks, queueOf } from '../model/webhooks-store.ts';

/**
 * Schedules the one job of a webhook for when its next call is due, but not earlier than in `minSeconds`. Call this at the end of
 * every transaction that may change when the next call is due. It locks the webhook, so a second transaction sees what the first
 * one queued. Each webhook has its own job queue, so that it gets one call at a time, in the order of events.
 */
export async function scheduleCalls(
  trx: Trx,
  { clock }: Platform,
  webhookId: string,
  minSeconds = 0,
): Promise<void> {
  await lockWebhooks(trx, [webhookId]);
  const next = await findNextCallTime(trx, webhookId);
  if (!next) return;
  const inSeconds = Math.max(minSeconds, (next.at.getTime() - clock.now().getTime()) / 1000);
  const key = queueOf(webhookId);
  const payload = { webhook_id: webhookId, receiver: new URL(next.url).host };
  await addKeyedJob(trx, 'call-webhook', payload, { key, inSeconds, queue: key });
}

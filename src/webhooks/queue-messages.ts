import type { Trx } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type Event, presentEvent } from './event.ts';
import { insertMessages, type NewMessage } from './messages-store.ts';
import { scheduleCalls } from './schedule-calls.ts';
import { wants } from './webhook.ts';
import { holdWebhooks, listSubscriptions } from './webhooks-store.ts';

/** Queues events for the webhooks that want them and whose holders may see them. */
export async function queueMessages(trx: Trx, deps: Platform, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return;
  const subscriptions = await listSubscriptions(trx);
  const messages = subscriptions.flatMap((webhook) =>
    events
      .filter((event) => wants(webhook, webhook.holder, event))
      .map((event) => messageOf(deps, webhook.id, event)),
  );
  const there = await holdWebhooks(trx, [...new Set(messages.map(({ webhookId }) => webhookId))]);
  // One that was removed a moment ago must not keep the events from their places.
  const wanted = messages.filter(({ webhookId }) => there.has(webhookId));
  await insertMessages(trx, wanted, deps.clock.now());
  for (const id of there) await scheduleCalls(trx, deps, id);
}

/** An event as the message that one webhook is sent: its very body. */
export function messageOf(
  { settings }: Platform,
  webhookId: string,
  event: Parameters<typeof presentEvent>[1],
): NewMessage {
  const body = JSON.stringify(presentEvent(settings.baseUrl, event));
  return { webhookId, eventId: event.id, type: event.type, body };
}

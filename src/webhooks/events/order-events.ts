import { repeat } from '../../platform/concurrency/repeat.ts';
import { holdTaskLock, inTransaction, type Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { scheduleCalls } from '../calls/schedule-calls.ts';
import { type Event, presentEvent, versionOf } from '../model/event.ts';
import { hasNewEvents, insertEvents, type TakenEvent, takeNewEvents } from '../model/events-store.ts';
import { insertMessages, type NewWebhookMessage } from '../model/messages-store.ts';
import { shouldReceive } from '../model/webhook.ts';
import { listSubscriptions, lockWebhooks } from '../model/webhooks-store.ts';

const batchSize = 500;
const everyMs = 1000;

/** Orders new events every second, so that webhooks hear of them soon. */
export function startEventOrdering(deps: Platform): { stop(): Promise<void> } {
  return repeat(deps.log, { everyMs, failureMessage: 'events could not be ordered' }, () =>
    orderEvents(deps),
  );
}

/**
 * Gives new events their positions, the order in which everybody reads them, and queues them for webhooks. Only one
 * transaction at a time does this. The transactions that record events could not number them: one with a lower number
 * may commit after a reader has gone past it, and the reader would miss its event.
 */
export async function orderEvents(deps: Platform): Promise<void> {
  if (!(await hasNewEvents(deps.db))) return;
  let taken = batchSize;
  while (taken === batchSize) {
    taken = await inTransaction(deps.db, (trx) => orderBatch(trx, deps));
  }
}

/** @returns the number of events taken. */
async function orderBatch(trx: Trx, deps: Platform): Promise<number> {
  await holdTaskLock(trx, 'order-events');
  const taken = await takeNewEvents(trx, batchSize);
  const ordered = await insertEvents(trx, taken.flatMap(withVersion));
  const unknown = taken.filter(({ type }) => versionOf(type) === undefined);
  if (unknown.length > 0)
    deps.log.error({ types: unknown.map(({ type }) => type) }, 'events of no known type');
  await queueMessages(trx, deps, ordered);
  return taken.length;
}

function withVersion(event: TakenEvent): (TakenEvent & { version: number })[] {
  const version = versionOf(event.type);
  return version === undefined ? [] : [{ ...event, version }];
}

/** Queues events for the webhooks that want them and whose holders may see them. */
async function queueMessages(trx: Trx, deps: Platform, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return;
  const subscriptions = await listSubscriptions(trx);
  const messages = subscriptions.flatMap((webhook) =>
    events
      .filter((event) => shouldReceive(webhook, webhook.holder, event))
      .map((event) => messageOf(deps, webhook.id, event)),
  );
  // A webhook may have been removed a moment ago.
  const existing = await lockWebhooks(trx, [...new Set(messages.map(({ webhookId }) => webhookId))]);
  const wanted = messages.filter(({ webhookId }) => existing.has(webhookId));
  await insertMessages(trx, wanted, deps.clock.now());
  for (const id of existing) await scheduleCalls(trx, deps, id);
}

/** The message that tells one webhook of an event. */
export function messageOf(
  { settings }: Platform,
  webhookId: string,
  event: Parameters<typeof presentEvent>[1],
): NewWebhookMessage {
  const body = JSON.stringify(presentEvent(settings.baseUrl, event));
  return { webhookId, eventId: event.id, type: event.type, body };
}

import { repeat } from '../../platform/concurrency/repeat.ts';
import { holdTaskLock, inTransaction, type Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { scheduleCalls } from '../calls/schedule-calls.ts';
import { insertCalls, type NewCall } from '../model/calls-store.ts';
import { type Event, presentEvent, versionOf } from '../model/event.ts';
import { hasNewEvents, insertEvents, type NewEvent, takeNewEvents } from '../model/events-store.ts';
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
 * Gives new events their positions, the order in which everybody reads them, and queues them for webhooks. Only one transaction at a
 * time does this. The transactions that record events cannot number them: one with a lower number might commit after a client has
 * read a higher one, and that client would miss its event.
 */
export async function orderEvents(deps: Platform): Promise<void> {
  if (!(await hasNewEvents(deps.db))) return;
  let count = batchSize;
  while (count === batchSize) {
    count = await inTransaction(deps.db, (trx) => orderBatch(trx, deps));
  }
}

/** @returns how many new events it took, at most `batchSize`. */
async function orderBatch(trx: Trx, deps: Platform): Promise<number> {
  await holdTaskLock(trx, 'order-events');
  const newEvents = await takeNewEvents(trx, batchSize);
  const events = await insertEvents(trx, newEvents.flatMap(withVersion));
  const unknown = newEvents.filter(({ type }) => versionOf(type) === undefined);
  if (unknown.length > 0)
    deps.log.error({ types: unknown.map(({ type }) => type) }, 'events of no known type');
  await queueMessages(trx, deps, events);
  return newEvents.length;
}

function withVersion(event: NewEvent): (NewEvent & { version: number })[] {
  const version = versionOf(event.type);
  return version === undefined ? [] : [{ ...event, version }];
}

/** Queues events for the webhooks that want them and whose holders may see them. */
async function queueMessages(trx: Trx, deps: Platform, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return;
  const subscriptions = await listSubscriptions(trx);
  const calls = subscriptions.flatMap((webhook) =>
    events
      .filter((event) => shouldReceive(webhook, webhook.holder, event))
      .map((event) => callOf(deps, webhook.id, event)),
  );
  const webhookIds = [...new Set(calls.map(({ webhookId }) => webhookId))];
  // Some may have been removed since they were listed.
  const existingIds = await lockWebhooks(trx, webhookIds);
  const sendable = calls.filter(({ webhookId }) => existingIds.has(webhookId));
  await insertCalls(trx, sendable, deps.clock.now());
  for (const id of existingIds) await scheduleCalls(trx, deps, id);
}

/** The call with one event for one webhook. Its body is the event in JSON. */
export function callOf(
  { settings }: Platform,
  webhookId: string,
  event: Parameters<typeof presentEvent>[1],
): NewCall {
  const body = JSON.stringify(presentEvent(settings.baseUrl, event));
  return { webhookId, eventId: event.id, type: event.type, body };
}

import { holdName, inTransaction, type Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { repeat } from '../../platform/repeat.ts';
import { scheduleCalls } from '../calls/schedule-calls.ts';
import { type Event, presentEvent, versionOf } from '../model/event.ts';
import { insertEvents, isAnythingNew, type TakenEvent, takeNewEvents } from '../model/events-store.ts';
import { insertMessages, type NewMessage } from '../model/messages-store.ts';
import { isSubscribedTo } from '../model/webhook.ts';
import { listSubscriptions, lockWebhooks } from '../model/webhooks-store.ts';

const batchLength = 500;
const everyMs = 1000;

/** Gives events their places, every second: so long, at most, somebody who is to be told of one waits for its turn. */
export function startPlacing(deps: Platform): { stop(): Promise<void> } {
  return repeat(deps.log, { everyMs, whenItFails: 'events could not be given their places' }, () =>
    placeEvents(deps),
  );
}

/**
 * Gives what was written down since its place in the order in which everybody reads it, and queues it for the webhooks
 * that want it. One transaction at a time does that. Numbers drawn by the transactions that write events down would not
 * do: one that drew a lower number may commit after a reader has gone past it.
 */
export async function placeEvents(deps: Platform): Promise<void> {
  if (!(await isAnythingNew(deps.db))) return;
  while ((await inTransaction(deps.db, (trx) => placeBatch(trx, deps))) === batchLength);
}

async function placeBatch(trx: Trx, deps: Platform): Promise<number> {
  await holdName(trx, 'place-events');
  const taken = await takeNewEvents(trx, batchLength);
  const placed = await insertEvents(trx, taken.flatMap(versioned));
  const unknown = taken.filter(({ type }) => versionOf(type) === undefined);
  if (unknown.length > 0)
    deps.log.error({ types: unknown.map(({ type }) => type) }, 'events of no known type');
  await queueMessages(trx, deps, placed);
  return taken.length;
}

function versioned(event: TakenEvent): (TakenEvent & { version: number })[] {
  const version = versionOf(event.type);
  return version === undefined ? [] : [{ ...event, version }];
}

/** Queues events for the webhooks that want them and whose holders may see them. */
async function queueMessages(trx: Trx, deps: Platform, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return;
  const subscriptions = await listSubscriptions(trx);
  const messages = subscriptions.flatMap((webhook) =>
    events
      .filter((event) => isSubscribedTo(webhook, webhook.holder, event))
      .map((event) => messageOf(deps, webhook.id, event)),
  );
  const there = await lockWebhooks(trx, [...new Set(messages.map(({ webhookId }) => webhookId))]);
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

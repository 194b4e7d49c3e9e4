import type { Caller } from '../../accounts/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { badRequest, Problem } from '../../platform/problem/index.ts';
import { visibilityOf } from '../../referrals/index.ts';
import { scheduleCalls } from '../calls/schedule-calls.ts';
import { deletedEventsProblem, positionOf, unknownEvent } from '../events/list-events.ts';
import { callOf, orderEvents } from '../events/order-events.ts';
import { insertCalls } from '../model/calls-store.ts';
import { type Event, type PresentedEvent, presentEvent, testEvent } from '../model/event.ts';
import { listEvents } from '../model/events-store.ts';
import { everyType, shouldReceive, type Webhook } from '../model/webhook.ts';
import { lockOwnWebhook } from './webhook-actions.ts';

export const maxEvents = 10_000;

/** Which events to send again: what the webhook has missed, all events after one, or a single event. */
export type Replay = { missed?: true | undefined; after?: string | undefined; event_id?: string | undefined };

/**
 * Queues events for a webhook again: of its types, those that it has missed or that came after an event; or a single event of any
 * type. They keep their ids, so the receiver can recognise them.
 * @returns how many, and where to continue if there may be more.
 * @throws Problem `not-found`, `bad-request`, `unknown-event`, and `events-gone` when `after` is more than 30 days old.
 */
export async function replayEvents(
  deps: Platform,
  caller: Caller,
  id: string,
  replay: Replay,
): Promise<{ queued: number; next_after: string | null }> {
  if (Object.values(replay).filter((value) => value !== undefined).length !== 1)
    throw new Problem(badRequest, 'Send missed, after or event_id, and only one of them.');
  await orderEvents(deps);
  return inTransaction(deps.db, async (trx) => {
    const webhook = await lockOwnWebhook(trx, caller, id);
    const events = await findEventsToReplay(trx, deps, caller, webhook, replay);
    const calls = events
      .filter((event) => replay.event_id !== undefined || shouldReceive(webhook, caller, event))
      .map((event) => callOf(deps, id, event));
    await insertCalls(trx, calls, deps.clock.now());
    await scheduleCalls(trx, deps, id);
    return { queued: calls.length, next_after: events.length === maxEvents ? events.at(-1)!.id : null };
  });
}

async function findEventsToReplay(
  trx: Trx,
  deps: Platform,
  caller: Caller,
  webhook: Pick<Webhook, 'id' | 'eventTypes' | 'createdAt'>,
  { missed, after, event_id }: Replay,
): Promise<Event[]> {
  const visibility = visibilityOf(caller);
  if (missed) {
    const missedBy = { webhookId: webhook.id, since: webhook.createdAt };
    const types = webhook.eventTypes.includes(everyType) ? undefined : webhook.eventTypes;
    return listEvents(trx, visibility, { afterPosition: 0, types, missedBy, limit: maxEvents });
  }
  if (event_id === undefined) {
    const afterPosition = await positionOf({ ...deps, db: trx }, after!, '/after');
    if (afterPosition === 'deleted') throw await deletedEventsProblem({ db: trx }, caller);
    return listEvents(trx, visibility, { afterPosition, limit: maxEvents });
  }
  const position = await positionOf({ ...deps, db: trx }, event_id, '/event_id');
  if (position !== 'deleted') {
    const [event] = await listEvents(trx, visibility, { afterPosition: position - 1, limit: 1 });
    if (event?.id === event_id.toLowerCase()) return [event];
  }
  throw new Problem(unknownEvent, 'There is none that you may see.', {
    errors: [{ pointer: '/event_id', message: 'must be the id of an event of the last 30 days' }],
  });
}

/**
 * Queues a test event for this webhook alone, even if it is off. The result is in the list of its attempts.
 * @throws Problem `not-found`.
 */
export async function sendTestEvent(deps: Platform, caller: Caller, id: string): Promise<PresentedEvent> {
  const at = deps.clock.now();
  const event = {
    ...testEvent,
    id: newId(at.getTime()),
    createdAt: at,
    resourceType: testEvent.resource,
    resourceId: id,
    path: `/api/webhooks/${id}`,
    referralId: null,
  };
  await inTransaction(deps.db, async (trx) => {
    await lockOwnWebhook(trx, caller, id);
    await insertCalls(trx, [callOf(deps, id, event)], at);
    await scheduleCalls(trx, deps, id);
  });
  return presentEvent(deps.settings.baseUrl, event);
}

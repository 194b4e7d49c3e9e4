import type { Caller } from '../../accounts/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { badRequest, Problem } from '../../platform/problem/index.ts';
import { visibilityOf } from '../../referrals/index.ts';
import { scheduleCalls } from '../calls/schedule-calls.ts';
import { positionOf } from '../events/list-events.ts';
import { messageOf, placeEvents } from '../events/place-events.ts';
import { type Event, type PresentedEvent, presentEvent, testEvent } from '../model/event.ts';
import { listEvents } from '../model/events-store.ts';
import { insertMessages } from '../model/messages-store.ts';
import { isSubscribedTo } from '../model/webhook.ts';
import { lockOwnWebhook } from './webhook-actions.ts';

const maxConcurrent = 10_000;

/** Either all that came after an event, or this one. */
export type Replay = { after?: string | undefined; event_id?: string | undefined };

/**
 * Queues events for a webhook once more, as if they had just happened: those of its types after the one that is named, or
 * one, of whichever type. They keep their ids, so its receiver can tell what it has had.
 * @returns how many, and the last one up to which it looked where there may be more.
 * @throws Problem `not-found`, `bad-request`.
 */
export async function replayEvents(
  deps: Platform,
  caller: Caller,
  id: string,
  replay: Replay,
): Promise<{ queued: number; next_after: string | null }> {
  if ((replay.after === undefined) === (replay.event_id === undefined))
    throw new Problem(badRequest, 'Send either after or event_id.');
  await placeEvents(deps);
  return inTransaction(deps.db, async (trx) => {
    const webhook = await lockOwnWebhook(trx, caller, id);
    const found = await find(trx, deps, caller, replay);
    const wanted = found.filter(
      (event) => replay.event_id !== undefined || isSubscribedTo(webhook, caller, event),
    );
    const messages = wanted.map((event) => messageOf(deps, id, event));
    await insertMessages(trx, messages, deps.clock.now());
    await scheduleCalls(trx, deps, id);
    return { queued: messages.length, next_after: found.length === maxConcurrent ? found.at(-1)!.id : null };
  });
}

async function find(trx: Trx, deps: Platform, caller: Caller, { after, event_id }: Replay): Promise<Event[]> {
  const ways = visibilityOf(caller);
  if (event_id === undefined) {
    const afterPosition = await positionOf({ ...deps, db: trx }, after!, '/after');
    return listEvents(trx, ways, { afterPosition, limit: maxConcurrent });
  }
  const position = await positionOf({ ...deps, db: trx }, event_id, '/event_id');
  const [event] = await listEvents(trx, ways, { afterPosition: position - 1, limit: 1 });
  if (event?.id === event_id.toLowerCase()) return [event];
  throw new Problem(badRequest, 'There is no such event for you.', {
    errors: [{ pointer: '/event_id', message: 'must be the id of an event of the last 30 days' }],
  });
}

/**
 * Queues an event that means nothing, for this webhook alone, on or off; what comes of it is in its log.
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
  };
  await inTransaction(deps.db, async (trx) => {
    await lockOwnWebhook(trx, caller, id);
    await insertMessages(trx, [messageOf(deps, id, event)], at);
    await scheduleCalls(trx, deps, id);
  });
  return presentEvent(deps.settings.baseUrl, event);
}

import { Type } from 'typebox';
import type { Caller } from '../../accounts/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { defineProblem, type FieldError, Problem } from '../../platform/problem/index.ts';
import { visibilityOf } from '../../referrals/index.ts';
import { type PresentedEvent, presentEvent } from '../model/event.ts';
import { findOldestAndLatest, findPosition, listEvents } from '../model/events-store.ts';
import { retentionMs } from './delete-old-events.ts';
import { orderEvents } from './order-events.ts';

/** It has its own type, so that a client can tell whether the site was restored or the call is wrong. */
export const unknownEvent = defineProblem({
  type: 'unknown-event',
  status: 400,
  title: 'There is no such event',
  detail: 'The site may have been restored to a time before it.',
  exampleErrors: [noSuchEvent('/query/after')],
});

const eventsGone = defineProblem({
  type: 'events-gone',
  status: 410,
  title: 'The events after this one were deleted',
  detail:
    'Events are kept for 30 days, and this one is older, so some after it are gone. Read again what you need, then continue from the oldest event that is left.',
  members: {
    oldest_id: Type.Union([Type.String(), Type.Null()], {
      description: 'With `events-gone`: the oldest event that is left; null if there is none.',
    }),
  },
});

/**
 * A page of the events that the caller may see, oldest first, from the one after `after`. The list has every event that was committed
 * before the call, and later events come after them. So a client that continues from the last event misses none.
 * @throws Problem `unknown-event` when there is no such event, `events-gone` when it is more than 30 days old.
 */
export async function listOwnEvents(
  deps: Platform,
  caller: Caller,
  { after, types, limit }: { after: string | undefined; types: readonly string[] | undefined; limit: number },
): Promise<{ items: PresentedEvent[]; next_cursor: string | null; latest_id: string | null }> {
  await orderEvents(deps);
  const visibility = visibilityOf(caller);
  const afterPosition = after === undefined ? 0 : await positionOf(deps, after, '/query/after');
  if (afterPosition === 'deleted') throw await deletedEventsProblem(deps, caller);
  const page = { afterPosition, types, limit: limit + 1 };
  // Before the list, so that a newer event is in the list or in a later one. A client that reads some types may continue from it.
  const { latestId, latestPosition } = await findOldestAndLatest(deps.db, visibility);
  const events = await listEvents(deps.db, visibility, page);
  const items = events.slice(0, limit).map((event) => presentEvent(deps.settings.baseUrl, event));
  const last = events.at(-1);
  const latest_id = last && last.position > (latestPosition ?? 0) ? last.id : latestId;
  return { items, next_cursor: events.length > limit ? items.at(-1)!.id : null, latest_id };
}

export const eventsGoneAnswer =
  '`events-gone`: the event that you name is older than 30 days, so events after it may be missing. `oldest_id` is the oldest event that is left.';

/** The refusal for a client that was away for more than 30 days: it must know that it missed some events. */
export async function deletedEventsProblem({ db }: Pick<Platform, 'db'>, caller: Caller): Promise<Problem> {
  const { oldestId } = await findOldestAndLatest(db, visibilityOf(caller));
  return new Problem(eventsGone, undefined, { extra: { oldest_id: oldestId } });
}

/**
 * The position of an event, from 1; `deleted` for one that was deleted because of its age.
 * @throws Problem `unknown-event` that names the pointer, when no event ever had this id.
 */
export async function positionOf(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  id: string,
  pointer: string,
): Promise<number | 'deleted'> {
  const position = await findPosition(db, id);
  if (position !== undefined) return position;
  if (creationTimeMs(id) < clock.now().getTime() - retentionMs) return 'deleted';
  throw new Problem(unknownEvent, undefined, { errors: [noSuchEvent(pointer)] });
}

function noSuchEvent(pointer: string): FieldError {
  return { pointer, message: 'must be the id of an event' };
}

/** When an event was made, from its id: version 7 UUIDs begin with their time, in milliseconds since 1970. */
function creationTimeMs(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

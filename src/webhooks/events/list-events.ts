import type { Caller } from '../../accounts/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { badRequest, Problem } from '../../platform/problem/index.ts';
import { visibilityOf } from '../../referrals/index.ts';
import { type PresentedEvent, presentEvent } from '../model/event.ts';
import { findPosition, listEvents } from '../model/events-store.ts';
import { orderEvents } from './order-events.ts';
import { retentionMs } from './sweep.ts';

/**
 * The events that the caller may see, oldest first, from the one after `after`. They include everything that was committed
 * before the call, and later commits follow them: a client that continues from the last event misses none.
 * @throws Problem `bad-request` when there is no such event.
 */
export async function listOwnEvents(
  deps: Platform,
  caller: Caller,
  { after, types, limit }: { after: string | undefined; types: readonly string[] | undefined; limit: number },
): Promise<{ items: PresentedEvent[]; next_cursor: string | null }> {
  await orderEvents(deps);
  const afterPosition = after === undefined ? 0 : await positionOf(deps, after, '/query/after');
  const page = { afterPosition, types, limit: limit + 1 };
  const found = await listEvents(deps.db, visibilityOf(caller), page);
  const items = found.slice(0, limit).map((event) => presentEvent(deps.settings.baseUrl, event));
  return { items, next_cursor: found.length > limit ? items.at(-1)!.id : null };
}

/**
 * The position of an event; 0 for an event that was deleted because of its age.
 * @throws Problem `bad-request` that names the pointer, when no event ever had this id.
 */
export async function positionOf(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  id: string,
  pointer: string,
): Promise<number> {
  const position = await findPosition(db, id);
  if (position !== undefined) return position;
  if (madeAtMs(id) < clock.now().getTime() - retentionMs) return 0;
  const errors = [{ pointer, message: 'must be the id of an event' }];
  throw new Problem(badRequest, 'There is no such event.', { errors });
}

/** Version 7 UUIDs begin with their time. */
function madeAtMs(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

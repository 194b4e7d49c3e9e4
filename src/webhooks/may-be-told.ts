import type { Caller } from '../accounts/index.ts';
import type { Db } from '../platform/database/index.ts';
import { testEvent } from './event-types.ts';
import { findEvent } from './events-store.ts';
import type { Call } from './messages-store.ts';
import { maySeeEvent } from './webhook.ts';

/**
 * Whether the holder of a webhook may still see what a message that waited tells of: they may have moved to another
 * organisation since, or lost a role. An event that is no longer kept is nobody's to see.
 */
export async function mayBeTold(db: Db, holder: Caller, { eventId, type }: Call): Promise<boolean> {
  if (type === testEvent.type) return true;
  const event = await findEvent(db, eventId);
  return event !== undefined && maySeeEvent(holder, event);
}

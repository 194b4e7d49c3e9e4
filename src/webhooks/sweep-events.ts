import type { Db } from '../platform/database/index.ts';
import { deleteEventsBefore } from './events-store.ts';
import { deleteMessagesBefore } from './messages-store.ts';
import { deleteQueuesOfRemoved } from './webhooks-store.ts';

/** For how long events can be read, and sent once more. */
export const keptForMs = 30 * 24 * 3_600_000;

/** Forgets events, and what was sent of them, after thirty days; and what is left of webhooks that were removed. */
export async function deleteOldEvents(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptForMs);
  await deleteEventsBefore(db, before);
  await deleteMessagesBefore(db, before);
  await deleteQueuesOfRemoved(db);
}

import { type Database, type Db, inTransaction } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { deleteUnusedQueues } from '../../platform/jobs/index.ts';
import { deleteCallsBefore } from '../model/calls-store.ts';
import { deleteEventsBefore } from '../model/events-store.ts';
import { lockAllWebhooks } from '../model/webhooks-store.ts';

/** How long events can be read and replayed. */
export const retentionMs = 30 * dayMs;

/** Deletes events and webhook messages after thirty days. */
export async function deleteOldEvents(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionMs);
  await deleteEventsBefore(db, before);
  await deleteCallsBefore(db, before);
}

/** Deletes the job queues of webhooks that have nothing to send, such as removed ones. */
export async function deleteIdleQueues({ db, pool }: Pick<Database, 'db' | 'pool'>): Promise<void> {
  await inTransaction(db, async (trx) => {
    // No job may be added meanwhile: one whose queue was deleted would never run.
    await lockAllWebhooks(trx);
    await deleteUnusedQueues(pool);
  });
}

import type { Db } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids/index.ts';

// What the database holds of emails.

/** Stores an email that could not be sent. */
export async function storeFailedMail(db: Db, reason: string): Promise<void> {
  const now = new Date();
  const mail = { id: newId(), status: 'failed', recipient_hash: Buffer.alloc(1), reason };
  await db
    .insertInto('mails')
    .values({ ...mail, created_at: now, finished_at: now })
    .execute();
}

/** How many emails the person who got the most was sent. */
export async function countMailsToOne(db: Db): Promise<number> {
  const counts = db
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .groupBy('recipient_hash');
  return Math.max(0, ...(await counts.execute()).map(({ count }) => Number(count)));
}

/** As if no email had ever been queued. */
export async function deleteMails(db: Db): Promise<void> {
  await db.deleteFrom('mails').execute();
}

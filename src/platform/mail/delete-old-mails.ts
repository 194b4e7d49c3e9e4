import type { Db } from '../database/index.ts';
import { deleteMailsFinishedBefore } from './mails-store.ts';

const day = 24 * 60 * 60_000;
const keptMs = 30 * day;

/**
 * Forgets mails thirty days after they were sent, given up or captured. By then every link in them is dead, and nobody
 * asks any more what became of one.
 */
export function deleteOldMails(db: Db, now: Date): Promise<void> {
  return deleteMailsFinishedBefore(db, new Date(now.getTime() - keptMs));
}

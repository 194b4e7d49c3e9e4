import { holdName, inTransaction } from '../database/index.ts';
import { addJobs } from '../jobs/index.ts';
import type { Platform } from '../platform.ts';
import { listForsaken } from './mails-store.ts';
import { theMailServer } from './smtp.ts';

const minute = 60_000;

/**
 * Gives a new job to every mail that waits for one in vain, for whatever reason its own was lost. A job too many does no
 * harm; an invitation that stays queued for ever would never be noticed.
 */
export async function tendMails({ db, clock, log }: Platform): Promise<void> {
  await inTransaction(db, async (trx) => {
    await holdName(trx, 'tend-mails');
    const forsaken = await listForsaken(trx, new Date(clock.now().getTime() - minute));
    if (forsaken.length === 0) return;
    log.warn({ mails: forsaken }, 'mails without a job get a new one');
    await addJobs(
      trx,
      'send-mail',
      forsaken.map((id) => ({ mail_id: id, receiver: theMailServer })),
    );
  });
}

import { holdLock, inTransaction, type Trx } from '../database/index.ts';
import { minuteMs } from '../durations.ts';
import { newId } from '../ids/index.ts';
import { addJobs } from '../jobs/index.ts';
import type { Platform } from '../platform.ts';
import type { Mail } from './mail.ts';
import { insertMail, listWithoutJob } from './mails-store.ts';
import { hashRecipient, sealMail } from './sealed-mail.ts';
import { mailServerReceiver } from './smtp.ts';

/** Queues an email in the transaction of the change that it tells of: it is sent if and only if that commits. */
export async function queueMail(trx: Trx, deps: Platform, mail: Mail): Promise<void> {
  const at = deps.clock.now();
  const id = newId();
  const sealed = sealMail(deps.secrets, id, mail);
  await insertMail(trx, { id, sealed, recipientHash: hashRecipient(deps.secrets, mail.to), at });
  await addSendingJobs(trx, [id]);
}

function addSendingJobs(trx: Trx, mailIds: readonly string[]): Promise<void> {
  const payloads = mailIds.map((id) => ({ mail_id: id, receiver: mailServerReceiver }));
  return addJobs(trx, 'send-mail', payloads);
}

/**
 * Gives a new job to every mail that has lost its own. One job too many does no harm, but nobody would notice an
 * invitation that stays queued.
 */
export async function requeueLostMails({ db, clock, log }: Platform): Promise<void> {
  await inTransaction(db, async (trx) => {
    await holdLock(trx, 'requeue-lost-mails');
    const lost = await listWithoutJob(trx, new Date(clock.now().getTime() - minuteMs));
    if (lost.length === 0) return;
    log.warn({ mails: lost }, 'mails without a job get a new one');
    await addSendingJobs(trx, lost);
  });
}

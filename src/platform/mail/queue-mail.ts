import type { Trx } from '../database/index.ts';
import { newId } from '../ids/index.ts';
import { addJobs } from '../jobs/index.ts';
import type { Platform } from '../platform.ts';
import type { Mail } from './mail.ts';
import { insertMail } from './mails-store.ts';
import { hashRecipient, sealMail } from './sealed-mail.ts';
import { theMailServer } from './smtp.ts';

/** Queues an email in the transaction that makes it true: it is sent if and only if that commits. */
export async function queueMail(trx: Trx, deps: Platform, mail: Mail): Promise<void> {
  const at = deps.clock.now();
  const id = newId();
  const sealed = sealMail(deps.secrets, id, mail);
  await insertMail(trx, { id, sealed, recipientHash: hashRecipient(deps.secrets, mail.to), at });
  await addJobs(trx, 'send-mail', [{ mail_id: id, receiver: theMailServer }]);
}

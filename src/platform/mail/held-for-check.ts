import { type Db, inTransaction, type Trx } from '../database/index.ts';
import type { Platform } from '../platform.ts';
import { findRestoreCheck, lockRestoreCheck, type RestoreCheck } from '../restore-check/index.ts';
import { dropMails, type HeldMails, isHeldByCheck, listHeldMails } from './mails-store.ts';
import { addSendingJobs } from './queue-mail.ts';
import { hashRecipient } from './sealed-mail.ts';

/** Whether an email waits until an operator has checked what a restored site sent before. The check may end at this moment, so its row is locked. */
export async function waitsForCheck(db: Db, mailId: string): Promise<boolean> {
  const check = await findRestoreCheck(db);
  if (!check || !(await isHeldByCheck(db, check, mailId))) return false;
  return inTransaction(db, async (trx) => (await lockRestoreCheck(trx, 'hold')) !== undefined);
}

/** Sends the held emails of one kind. With `onlyTo`, it sends those to these addresses and drops the others. */
export async function sendHeldMails(
  trx: Trx,
  { secrets }: Pick<Platform, 'secrets'>,
  restoreCheck: RestoreCheck,
  { held, onlyTo, at }: { held: HeldMails; onlyTo?: readonly string[] | undefined; at: Date },
): Promise<{ sent: number; dropped: number }> {
  const mails = await listHeldMails(trx, restoreCheck, held);
  const allowed = onlyTo && new Set(onlyTo.map((address) => hashRecipient(secrets, address).toString('hex')));
  const { send = [], drop = [] } = Object.groupBy(mails, ({ recipientHash }) =>
    !allowed || allowed.has(recipientHash.toString('hex')) ? 'send' : 'drop',
  );
  await dropMails(
    trx,
    drop.map(({ id }) => id),
    at,
  );
  if (send.length > 0) await addSendingJobs(trx, send);
  return { sent: send.length, dropped: drop.length };
}

/** Drops the held emails of one kind. @returns how many they were. */
export async function dropHeldMails(
  trx: Trx,
  restoreCheck: RestoreCheck,
  { held, at }: { held: HeldMails; at: Date },
): Promise<number> {
  const mails = await listHeldMails(trx, restoreCheck, held);
  await dropMails(
    trx,
    mails.map(({ id }) => id),
    at,
  );
  return mails.length;
}

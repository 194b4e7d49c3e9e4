import { holdTaskLock, inTransaction, type Trx } from '../database/index.ts';
import { minuteMs } from '../durations.ts';
import { newId } from '../ids/index.ts';
import { addJobs } from '../jobs/index.ts';
import type { Platform } from '../platform.ts';
import { findRestoreCheck } from '../restore-check/index.ts';
import type { Mail, MailKind, TextMessage } from './mail.ts';
import { insertMails, listWithoutJob, type QueuedMail } from './mails-store.ts';
import { hashRecipient, type MailOrText, sealMail } from './sealed-mail.ts';
import { mailServerSystem } from './smtp.ts';

/** What the site tells people, each in an email of their own. The subject ends with the name of the site. */
export type MailToPeople = Pick<Mail, 'subject' | 'files'> & {
  readonly to: readonly string[];
  readonly paragraphs: readonly string[];
};

/** Queues emails to people in the transaction of the change that they tell of: they are sent if and only if that commits. */
export async function mailPeople(
  trx: Trx,
  deps: Platform,
  kind: MailKind,
  ...mails: readonly MailToPeople[]
): Promise<void> {
  const { siteName } = deps.settings;
  const each = mails.flatMap(({ to, subject, paragraphs, files }) =>
    to.map((address) => ({
      to: address,
      subject: `${subject} – ${siteName}`,
      text: `${paragraphs.join('\n\n')}\n`,
      ...(files && { files }),
    })),
  );
  await queueMails(trx, deps, kind, each);
}

/** `linkId`: the person’s page or answer link that it is about. It is not sent once that may no longer be used. */
type AboutLink = { linkId?: string };
/** `causedBy`: the organisation, or the account, that chose the number (see `mayText`). */
type AboutText = AboutLink & { causedBy?: string };

/** Queues emails as they are. */
export async function queueMails(
  trx: Trx,
  deps: Platform,
  kind: MailKind,
  mails: readonly Mail[],
  { linkId }: AboutLink = {},
): Promise<void> {
  if (mails.length > 0)
    await queue(trx, deps, { kind, isText: false, ...(linkId !== undefined && { linkId }) }, mails);
}

/**
 * Queues a text message. Only for a site that sends them (`sendsTexts`), to a number in the form of `readMobileNumber`, and after `mayText`
 * if others choose when it goes.
 */
export function queueText(
  trx: Trx,
  deps: Platform,
  kind: MailKind,
  message: TextMessage,
  about: AboutText = {},
): Promise<void> {
  // The outbox shows it beside emails.
  return queue(trx, deps, { kind, isText: true, ...about }, [{ ...message, subject: 'Text message' }]);
}

async function queue(
  trx: Trx,
  deps: Platform,
  { kind, isText, linkId, causedBy }: AboutText & { kind: MailKind; isText: boolean },
  mails: readonly MailOrText[],
): Promise<void> {
  const rows = mails.map((mail) => {
    const id = newId();
    const sealed = sealMail(deps.secrets, id, mail);
    return {
      id,
      isText,
      kind,
      linkId,
      causedBy,
      sealed,
      recipientHash: hashRecipient(deps.secrets, mail.to),
    };
  });
  await insertMails(trx, rows, deps.clock.now());
  await addSendingJobs(trx, rows, { isFirst: mails.some(({ until }) => until !== undefined) });
}

/** Somebody waits for a code, so its text goes before all others. */
export function addSendingJobs(
  trx: Trx,
  mails: readonly QueuedMail[],
  { isFirst = false }: { isFirst?: boolean } = {},
): Promise<void> {
  return addJobs(trx, 'send-mail', mails.map(payloadOf), { isFirst });
}

/** A slow mail server does not hold up the texts, nor the other way round. */
export function payloadOf({ id, isText }: QueuedMail) {
  return { mail_id: id, receiver: isText ? 'GOV.UK Notify' : mailServerSystem };
}

/**
 * Gives a new job to every mail that has lost its own. One job too many does no harm, but nobody would notice an
 * invitation that stays queued.
 */
export async function restoreMailJobs({ db, clock, log }: Platform): Promise<void> {
  await inTransaction(db, async (trx) => {
    await holdTaskLock(trx, 'requeue-lost-mails');
    const before = new Date(clock.now().getTime() - minuteMs);
    const withoutJob = await listWithoutJob(trx, before, await findRestoreCheck(trx));
    if (withoutJob.length === 0) return;
    log.warn({ mails: withoutJob.map(({ id }) => id) }, 'emails without a job got a new one');
    await addSendingJobs(trx, withoutJob);
  });
}

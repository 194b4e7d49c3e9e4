import { actorOf, type Caller } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { inTransaction, type Trx } from '../../../platform/database/index.ts';
import { requireById } from '../../../platform/ids/index.ts';
import {
  type CapturedMail,
  canonicalEmail,
  findCapturedMail,
  listCapturedMails,
  type MailRecipients,
} from '../../../platform/mail/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { forbidden, notFound, Problem } from '../../../platform/problem/index.ts';
import { findReferralsWithHiddenService, hiddenServiceName } from '../../../referrals/index.ts';
import type { DeliveryDeps } from '../../channels/deps.ts';
import {
  type CapturedMessage,
  findCapturedFile,
  findCapturedMessage,
  listCapturedFileNames,
  listCapturedMessages,
  listConfidentialMailboxes,
} from './captured-store.ts';

/** @throws Problem `not-found`, also for a message about a referral that the caller may not see. */
export function readCapturedMessage(
  deps: Platform,
  caller: Caller,
  id: string,
  ipAddress: string,
): Promise<CapturedMessage & { files: string[] }> {
  return inTransaction(deps.db, async (trx) => {
    const message = await readAudited(trx, deps, caller, id, ipAddress);
    return { ...message, files: await listCapturedFileNames(trx, message.id) };
  });
}

/** @throws Problem `not-found` for a message or file that there is not. */
export async function readCapturedFile(
  deps: DeliveryDeps,
  caller: Caller,
  { id, name, ipAddress }: { id: string; name: string; ipAddress: string },
): Promise<{ type: string; content: Buffer; reference: string }> {
  const { file, reference } = await inTransaction(deps.db, async (trx) => {
    const message = await readAudited(trx, deps, caller, id, ipAddress);
    const file = await findCapturedFile(trx, id, name);
    if (!file) throw new Problem(notFound);
    return { file, reference: message.reference };
  });
  const content = 'letter' in file ? await deps.letterDrawer.draw(file.letter) : file.content;
  return { type: file.type, content, reference };
}

/** The newest messages that the caller may see, with the name of a sensitive service hidden as everywhere else. */
export function listCaptured(
  { db }: Pick<Platform, 'db'>,
  caller: Caller,
  page: Parameters<typeof listCapturedMessages>[2],
): Promise<CapturedMessage[]> {
  return inTransaction(db, async (trx) => {
    const messages = await listCapturedMessages(trx, caller, page);
    const ids = [...new Set(messages.map(({ referralId }) => referralId))];
    const hidden = await findReferralsWithHiddenService(trx, caller, ids);
    return messages.map((each) =>
      each.leg === 'service' && hidden.has(each.referralId)
        ? { ...each, recipient: hiddenServiceName, channel: 'not shown' }
        : each,
    );
  });
}

/** Its people are made up, but reading is audited as on a live site. */
async function readAudited(
  trx: Trx,
  deps: Platform,
  caller: Caller,
  id: string,
  ipAddress: string,
): Promise<CapturedMessage> {
  const message = await requireById(id, (id) => findCapturedMessage(trx, caller, id));
  // The letter to the practice names the service, too.
  if ((await findReferralsWithHiddenService(trx, caller, [message.referralId])).size > 0)
    throw new Problem(
      forbidden,
      'It names a restricted service. Give a reason to open the referral first, on its page.',
    );
  await recordAudit(trx, {
    at: deps.clock.now(),
    actor: actorOf(caller, ipAddress),
    action: 'captured_message.read',
    subject: { type: 'referral', id: message.referralId },
    details: { captured_message: message.id },
  });
  return message;
}

/**
 * Which emails somebody may see: an operator all, anybody else those to their own address. The links in emails open
 * accounts, and even on a test site nobody may open a colleague's account.
 */
function visibleMailsOf(caller: Caller): MailRecipients {
  return caller.roles.includes('operator') ? 'everybody' : { address: caller.email };
}

/** The newest emails that the caller may see. */
export async function listMails(
  deps: Platform,
  caller: Caller,
  page: Parameters<typeof listCapturedMails>[2],
): Promise<Awaited<ReturnType<typeof listCapturedMails>>> {
  const mails = await listCapturedMails(deps, visibleMailsOf(caller), page);
  const mailboxes = await listConfidentialMailboxes(deps);
  return mails.map((mail) => withoutMailboxes(mail, caller, mailboxes));
}

/**
 * An email to a refuge names a referral, so the address or number beside it would tell an operator who uses the refuge. It is hidden, also in
 * the words; an email to the reader is theirs.
 */
function withoutMailboxes<T extends Pick<CapturedMail, 'to' | 'subject'> & { text?: string }>(
  mail: T,
  caller: Caller,
  mailboxes: readonly string[],
): T {
  if (canonicalEmail(mail.to) === canonicalEmail(caller.email)) return mail;
  const mobiles = mailboxes.filter((each) => !each.includes('@'));
  const hide = (text: string) =>
    mobiles
      .reduce((shown, mobile) => shown.replaceAll(mobile, hiddenServiceName), text)
      .replaceAll(/[^\s<>(),;:]+@[^\s<>(),;:]*[^\s<>(),;:.]/g, (found) =>
        mailboxes.includes(found.toLowerCase()) ? hiddenServiceName : found,
      );
  const text = mail.text === undefined ? {} : { text: hide(mail.text) };
  return { ...mail, to: hide(mail.to), subject: hide(mail.subject), ...text };
}

/** Reads an email as it would have gone, audited. @throws Problem `not-found`, also for an email to somebody else. */
export async function readCapturedMail(
  deps: Platform,
  caller: Caller,
  id: string,
  ipAddress: string,
): Promise<CapturedMail> {
  const mail = await findCapturedMail(deps, visibleMailsOf(caller), id);
  if (!mail) throw new Problem(notFound);
  await inTransaction(deps.db, (trx) =>
    recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'captured_mail.read',
      subject: { type: 'mail', id: mail.id },
    }),
  );
  return withoutMailboxes(mail, caller, await listConfidentialMailboxes(deps));
}

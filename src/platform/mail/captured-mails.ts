import { isUuid } from '../ids/index.ts';
import type { Platform } from '../platform.ts';
import type { Mail } from './mail.ts';
import { findCaptured, listCaptured, type MailRow } from './mails-store.ts';
import { hashRecipient, openMail } from './sealed-mail.ts';

/** An email or a text that a test site would have sent. */
export type CapturedMail = Mail & { readonly id: string; readonly isText: boolean; readonly queuedAt: Date };

/** Which mails to look at: everybody's, or those to one address. */
export type MailRecipients = 'everybody' | { readonly address: string };

/** Newest first. */
export async function listCapturedMails(
  deps: Platform,
  to: MailRecipients,
  page: { before: string | undefined; limit: number },
): Promise<CapturedMail[]> {
  const mails = await listCaptured(deps.db, filterOf(deps, to), page);
  return mails.flatMap((mail) => openIfOurs(deps, mail));
}

/** Undefined if there is no such mail, or if it went to somebody else. */
export async function findCapturedMail(
  deps: Platform,
  to: MailRecipients,
  id: string,
): Promise<CapturedMail | undefined> {
  const mail = isUuid(id) ? await findCaptured(deps.db, filterOf(deps, to), id) : undefined;
  return mail && openIfOurs(deps, mail)[0];
}

const filterOf = (deps: Platform, to: MailRecipients) => ({
  recipientHash: to === 'everybody' ? undefined : hashRecipient(deps.secrets, to.address),
});

/** An empty list if the mail was written under another site key: a copy of a database does not open the original’s mails. */
function openIfOurs(deps: Platform, { id, isText, sealed, createdAt }: MailRow): CapturedMail[] {
  try {
    return [{ id, isText, ...openMail(deps.secrets, id, sealed!), queuedAt: createdAt }];
  } catch {
    return [];
  }
}

import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { type CapturedMail, findCapturedMail, type MailsTo } from '../platform/mail/index.ts';
import type { Platform } from '../platform/platform.ts';
import { notFound, Problem } from '../platform/problem/index.ts';

/**
 * Whose emails somebody may see: an operator everybody's, and anybody else those to their own address. The link in an
 * invitation, or for a new password, is a key to somebody's account, and on a test site as well an account must not be
 * open to its colleagues.
 */
export function mailsFor(caller: Caller): MailsTo {
  return caller.roles.includes('operator') ? 'everybody' : { address: caller.email };
}

/** Reads an email as it would have gone, and writes down who did. @throws Problem `not-found`, also for another's. */
export async function readCapturedMail(
  deps: Platform,
  caller: Caller,
  id: string,
  address: string,
): Promise<CapturedMail> {
  const mail = await findCapturedMail(deps, mailsFor(caller), id);
  if (!mail) throw new Problem(notFound);
  await inTransaction(deps.db, (trx) =>
    recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, address),
      action: 'captured_mail.read',
      subject: { type: 'mail', id: mail.id },
    }),
  );
  return mail;
}

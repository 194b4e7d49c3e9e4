import { listOperators } from '../accounts/index.ts';
import type { Trx } from '../platform/database/index.ts';
import { type MailKind, mailPeople } from '../platform/mail/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type Desk, isSomebodyAtWork } from './model.ts';

type DeskMail = { subject: string; paragraphs: readonly string[] };

/** Emails the owner and the deputy. While neither is at work, operators get it too, so that somebody reads it. */
export async function mailDesk(
  trx: Trx,
  deps: Platform,
  desk: Desk,
  kind: MailKind,
  { subject, paragraphs }: DeskMail,
): Promise<void> {
  if (isSomebodyAtWork(desk, deps.clock.now())) {
    await mailPeople(trx, deps, kind, { to: [desk.owner.email, desk.deputy.email], subject, paragraphs });
    return;
  }
  await mailDeskAndOperators(trx, deps, desk, kind, {
    subject,
    paragraphs: [
      ...paragraphs,
      `Neither ${desk.owner.name} nor ${desk.deputy.name} is at work, so operators get this email too. Operators name somebody else here, who then rings:\n\n${deps.settings.baseUrl}/operator/self-referrals`,
    ],
  });
}

export async function mailDeskAndOperators(
  trx: Trx,
  deps: Platform,
  desk: Desk,
  kind: MailKind,
  mail: DeskMail,
): Promise<void> {
  const operators = await listOperators(trx);
  const everybody = [desk.owner, desk.deputy, ...operators].map(({ email }) => email);
  // The owner or the deputy may be an operator, too.
  await mailPeople(trx, deps, kind, { to: [...new Set(everybody)], ...mail });
}

import { listOperators } from '../accounts/index.ts';
import type { Trx } from '../platform/database/index.ts';
import { type MailKind, mailPeople } from '../platform/mail/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type Desk, isSomebodyAtWork } from './model.ts';

/** Emails the owner and the deputy. While neither is at work, operators get it too, so that somebody reads it. */
export async function mailDesk(
  trx: Trx,
  deps: Platform,
  desk: Desk,
  kind: MailKind,
  { subject, paragraphs }: { subject: string; paragraphs: readonly string[] },
): Promise<void> {
  const people = [desk.owner.email, desk.deputy.email];
  if (isSomebodyAtWork(desk, deps.clock.now())) {
    await mailPeople(trx, deps, kind, { to: people, subject, paragraphs });
    return;
  }
  const operators = await listOperators(trx);
  await mailPeople(trx, deps, kind, {
    to: [...new Set([...people, ...operators.map(({ email }) => email)])],
    subject,
    paragraphs: [
      ...paragraphs,
      `Neither ${desk.owner.name} nor ${desk.deputy.name} is at work, so operators get this email too. Operators name somebody else here, who then rings:\n\n${deps.settings.baseUrl}/operator/self-referrals`,
    ],
  });
}

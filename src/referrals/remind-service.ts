import { listActiveProviders, theSite } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { type Mail, queueMail } from '../platform/mail/index.ts';
import type { Platform } from '../platform/platform.ts';
import { noteReminder, type WaitingReferrals } from './waiting-store.ts';

/** Reminds everybody who answers for an organisation's services, in one email that names nobody. */
export async function remindService(
  deps: Platform,
  libraryOrganizationId: string,
  waiting: WaitingReferrals,
): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    const noted = await noteReminder(trx, libraryOrganizationId, waiting, at);
    if (noted.length === 0) return;
    const people = await listActiveProviders(trx, libraryOrganizationId);
    const references = noted.map(({ reference }) => reference);
    for (const { email } of people) await queueMail(trx, deps, compose(deps.settings, email, references));
    for (const { id } of noted) {
      await recordAudit(trx, {
        at,
        actor: theSite,
        action: 'referral.reminded',
        subject: { type: 'referral', id },
        details: { people: people.length },
      });
    }
  });
}

const mostNamed = 50;

function compose(
  { siteName, baseUrl }: Platform['settings'],
  to: string,
  references: readonly string[],
): Mail {
  const count = references.length === 1 ? '1 referral waits' : `${references.length} referrals wait`;
  const paragraphs = [
    `${count} for an answer from your service.`,
    references.slice(0, mostNamed).join('\n'),
    `Read and answer here:\n\n${baseUrl}/referrals?view=received&status=requested`,
  ];
  return { to, subject: `${count} for your answer – ${siteName}`, text: `${paragraphs.join('\n\n')}\n` };
}

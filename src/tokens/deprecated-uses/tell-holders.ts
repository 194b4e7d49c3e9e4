import { type Account, findAccount, findAccountContact } from '../../accounts/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { dayInWords } from '../../platform/html/index.ts';
import { type Deprecation, deprecations } from '../../platform/http/index.ts';
import { type MailToPeople, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { findCurrentDeprecations } from './deprecated-uses.ts';
import { type DeprecatedUse, lockDeprecatedUses, markTold } from './deprecated-uses-store.ts';

/** How many days before the end holders are told again. */
const reminderDays = [30, 7];

/**
 * The `tell-of-deprecations` job: emails the holder of a key, or the owner of a system, when the key first uses something that will
 * end, and again before the end if the key still uses it.
 */
export async function tellOfDeprecations(
  deps: Platform,
  list: readonly Deprecation[] = deprecations,
): Promise<void> {
  const { db, clock, settings } = deps;
  const now = clock.now();
  const { current, since } = findCurrentDeprecations(now, list);
  if (current.size === 0) return;
  await inTransaction(db, async (trx) => {
    const allUses = await lockDeprecatedUses(trx, [...current.keys()], since);
    const dueUses = allUses.filter((use) => isDue(use, current.get(use.deprecationId)!, now));
    // One email for each account and deprecation, with all its keys.
    const groups = Map.groupBy(dueUses, ({ accountId, deprecationId }) => `${accountId} ${deprecationId}`);
    for (const uses of groups.values()) {
      const { accountId, deprecationId } = uses[0]!;
      const account = (await findAccount(trx, accountId))!;
      // A system without an owner waits for the next one.
      const recipient = await findAccountContact(trx, account);
      if (!recipient) continue;
      const mail = deprecationMail(settings, account, recipient, current.get(deprecationId)!, uses);
      await mailPeople(trx, deps, 'site', mail);
      for (const use of uses) await markTold(trx, use, now);
    }
  });
}

function isDue({ toldAt }: DeprecatedUse, { ends }: Deprecation, now: Date): boolean {
  if (toldAt === null) return true;
  const reminders = reminderDays.map((days) => new Date(ends.getTime() - days * dayMs));
  return reminders.some((at) => toldAt < at && at <= now);
}

function deprecationMail(
  { baseUrl }: Settings,
  account: Pick<Account, 'id' | 'name' | 'isSystem'>,
  recipient: { name: string; email: string },
  { what, instead, ends }: Deprecation,
  uses: readonly DeprecatedUse[],
): MailToPeople {
  const whose = account.isSystem ? `a key of the system ${account.name}` : 'your API key';
  const end = dayInWords(ends);
  const keys = uses.map(({ keyName, lastCall, lastUsedOn }) => {
    const key = keyName === null ? 'Your first pair of keys' : `The key “${keyName}”`;
    return `${key}: ${lastCall}, last on ${dayInWords(lastUsedOn)}`;
  });
  return {
    to: [recipient.email],
    subject: `A client system uses something that ends on ${end}`,
    paragraphs: [
      `Hello ${recipient.name},`,
      `A client system calls ${baseUrl} with ${whose}. It uses ${what}, which stops working on ${end}.`,
      `Use instead: ${instead}.`,
      keys.join('\n'),
      'If somebody else makes the system, pass this email on to them.',
      `What changed, and what ends:\n\n${baseUrl}/guide/changes\n${baseUrl}/guide/versions`,
      `If the key still uses it then, you get another email ${reminderDays.join(' and ')} days before the end.`,
    ],
  };
}

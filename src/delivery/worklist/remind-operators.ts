import { inTransaction } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { type Mail, queueMail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { countLongOpen, listOperators } from './list-store.ts';

const openTooLongMs = 5 * dayMs;

/**
 * The `remind-operators` job: emails every operator each morning while a row of the worklist is five days old, because its
 * owner may be away. The email says how many there are, and nothing about a person.
 */
export async function remindOperators(deps: Platform): Promise<void> {
  const openSince = new Date(deps.clock.now().getTime() - openTooLongMs);
  await inTransaction(deps.db, async (trx) => {
    const count = await countLongOpen(trx, openSince);
    if (count === 0) return;
    for (const { email } of await listOperators(trx))
      await queueMail(trx, deps, compose(deps.settings, email, count));
  });
}

function compose({ siteName, baseUrl }: Platform['settings'], to: string, count: number): Mail {
  const what = count === 1 ? '1 message has' : `${count} messages have`;
  const paragraphs = [
    `${what} not arrived, or not been answered, for five days. Services and GP practices may not know what they should.`,
    `See what it is, and see to it:\n\n${baseUrl}/operator/deliveries`,
    'You get this each morning until it is done.',
  ];
  return { to, subject: `${what} waited five days – ${siteName}`, text: `${paragraphs.join('\n\n')}\n` };
}

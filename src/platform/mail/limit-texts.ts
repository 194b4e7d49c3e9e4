import { holdTaskLock, type Trx } from '../database/index.ts';
import { dayMs, hourMs } from '../durations.ts';
import { newId } from '../ids/index.ts';
import type { Platform } from '../platform.ts';
import type { MailKind } from './mail.ts';
import { countTextsSince, insertDroppedText } from './mails-store.ts';
import { hashRecipient } from './sealed-mail.ts';

type Limit = { toOneInHour: number; toOneInDay: number; causedByOneInDay: number };

/**
 * How many texts of a kind go to one number, by all links and services together, and how many one organisation may have sent to numbers
 * of its choice. A service answers many referrals with codes to one mobile; a person needs few.
 */
const limits: Partial<Record<MailKind, Limit>> = {
  person: { toOneInHour: 6, toOneInDay: 20, causedByOneInDay: 300 },
  news: { toOneInHour: 30, toOneInDay: 60, causedByOneInDay: 60 },
  site: { toOneInHour: 5, toOneInDay: 20, causedByOneInDay: 60 },
};

export const textLimitReached =
  'No text was sent: too many went to this number, or were sent by your organisation, in the last hour or day. Try again later.';

/** How long a page gives no code after too many texts went to its number. */
export const textPauseMs = hourMs;

type CountedText = { kind: MailKind; to: string; causedBy?: string };

/** Whether one more text may go to the number now. `causedBy`: the organisation, or the account, that chose the number. */
export async function mayText(
  trx: Trx,
  { secrets, clock }: Pick<Platform, 'secrets' | 'clock'>,
  { kind, to, causedBy }: CountedText,
): Promise<boolean> {
  const limit = limits[kind];
  if (!limit) return true;
  const recipientHash = hashRecipient(secrets, to);
  // Requests at the same moment see each other’s texts: those of one organisation, and those to one number.
  if (causedBy !== undefined) await holdTaskLock(trx, `texts by ${causedBy}`);
  await holdTaskLock(trx, `texts to ${recipientHash.toString('hex')}`);
  const now = clock.now().getTime();
  const [lastHour, lastDay] = [new Date(now - hourMs), new Date(now - dayMs)];
  const counts = await countTextsSince(trx, { kind, recipientHash, causedBy, lastHour, lastDay });
  return (
    counts.toOneInHour < limit.toOneInHour &&
    counts.toOneInDay < limit.toOneInDay &&
    counts.causedByOneInDay < limit.causedByOneInDay
  );
}

/** Counts a text that was withheld as if it had been sent. Otherwise the limit, which is never reached, would tell that nothing is sent. */
export function countWithheldText(
  trx: Trx,
  { secrets, clock }: Pick<Platform, 'secrets' | 'clock'>,
  { kind, to, causedBy }: CountedText,
): Promise<void> {
  const text = { id: newId(), kind, recipientHash: hashRecipient(secrets, to), causedBy };
  return insertDroppedText(trx, text, clock.now());
}

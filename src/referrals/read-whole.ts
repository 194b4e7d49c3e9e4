import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction, type Trx } from '../platform/database/index.ts';
import { type Attachment, listAttachments } from './attachments-store.ts';
import type { ReferralDeps } from './deps.ts';
import { countUnread, listMessages, type Message, noteRead } from './messages-store.ts';
import { listOpenings, type Opening } from './openings-store.ts';
import { type ReadReferral, readWithin } from './read-referral.ts';
import { isUsable } from './records/usable.ts';

/** Everything that the page of a referral shows; what the reader may not see is empty. */
export type WholeReferral = ReadReferral & {
  /** Oldest first, as a conversation is read. */
  messages: Message[];
  moreMessages: boolean;
  unread: number;
  attachments: Attachment[];
  openings: Opening[];
};

const mostShown = 100;

/**
 * Reads a referral with its messages, files and openings, and notes that this person has read the messages.
 * @throws Problem `not-found`.
 */
export async function readWholeReferral(
  deps: ReferralDeps,
  caller: Caller,
  id: string,
  address: string,
): Promise<WholeReferral> {
  return inTransaction(deps.db, async (trx) => {
    const read = await readWithin(deps, trx, caller, id, address);
    const referralId = read.referral.id;
    const inside = isUsable(read.referral) && (read.sides.length > 0 || read.opened);
    const newest = inside ? await listMessages(trx, referralId, { limit: mostShown + 1 }) : [];
    const unread = await readMessages(deps, trx, caller, { read, newest, address });
    const forReferrer = read.sides.includes('referrer') || read.sides.length === 0;
    return {
      ...read,
      messages: newest.slice(0, mostShown).reverse(),
      moreMessages: newest.length > mostShown,
      unread,
      attachments: inside ? await listAttachments(trx, referralId, { limit: mostShown }) : [],
      openings: forReferrer ? await listOpenings(trx, referralId, { limit: mostShown }) : [],
    };
  });
}

type Reading = { read: ReadReferral; newest: readonly Message[]; address: string };

/** @returns how many of the messages were new to the reader. */
async function readMessages(
  deps: ReferralDeps,
  trx: Trx,
  caller: Caller,
  { read: { referral, sides }, newest, address }: Reading,
): Promise<number> {
  const last = newest[0];
  if (!last) return 0;
  await recordAudit(trx, {
    at: deps.clock.now(),
    actor: actorOf(caller, address),
    action: 'referral.messages_read',
    subject: { type: 'referral', id: referral.id },
  });
  if (sides.length === 0) return 0;
  const unread = await countUnread(trx, [referral.id], caller.accountId);
  await noteRead(trx, referral.id, caller.accountId, last.id);
  return unread.get(referral.id) ?? 0;
}

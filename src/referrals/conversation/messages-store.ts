import type { Db, Trx } from '../../platform/database/index.ts';
import { type Author, authorColumns, authorRow } from '../model/actors/authors.ts';
import type { Side } from '../model/status/state-machine.ts';

export type Message = Author & { id: string; at: Date; side: Side; text: string };

function selectMessages(db: Db, referralId: string) {
  return db
    .selectFrom('referral_messages')
    .select(['id', 'at', 'side', ...authorColumns, 'text'])
    .$narrowType<Pick<Message, 'side'>>()
    .where('referral_id', '=', referralId);
}

/** @param message `asksToRing`: the service asks the referrer to ring it */
export async function insertMessage(
  trx: Trx,
  referralId: string,
  message: Message & { asksToRing?: boolean },
): Promise<void> {
  const { id, at, side, text } = message;
  await trx
    .insertInto('referral_messages')
    .values({
      id,
      referral_id: referralId,
      at,
      side,
      ...authorRow(message),
      text,
      asks_to_ring: message.asksToRing ?? false,
    })
    .execute();
}

/** Newest first. */
export function listMessages(
  db: Db,
  referralId: string,
  { beforeId, limit }: { beforeId?: string | undefined; limit: number },
): Promise<Message[]> {
  return selectMessages(db, referralId)
    .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export function findMessage(db: Db, referralId: string, id: string): Promise<Message | undefined> {
  return selectMessages(db, referralId).where('id', '=', id).executeTakeFirst();
}

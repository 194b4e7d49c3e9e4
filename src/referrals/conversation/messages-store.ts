import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { Author } from '../model/referral.ts';
import type { Side } from '../model/state-machine.ts';

export type Message = Author & { id: string; at: Date; side: Side; text: string };

function selectMessages(db: Db, referralId: string) {
  return db
    .selectFrom('referral_messages')
    .select([
      'id',
      'at',
      'side',
      'author_id as authorId',
      'author_name as authorName',
      'author_organisation as authorOrganisation',
      'text',
    ])
    .$narrowType<Pick<Message, 'side'>>()
    .where('referral_id', '=', referralId);
}

export async function insertMessage(trx: Trx, referralId: string, message: Message): Promise<void> {
  const { id, at, side, authorId, authorName, authorOrganisation, text } = message;
  await trx
    .insertInto('referral_messages')
    .values({
      id,
      referral_id: referralId,
      at,
      side,
      author_id: authorId,
      author_name: authorName,
      author_organisation: authorOrganisation,
      text,
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

/** Counts the messages of others that an account has not read, for each referral that has any. */
export async function countUnread(
  db: Db,
  referralIds: readonly string[],
  accountId: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ referralId: string; count: number }>`
    select m.referral_id as "referralId", count(*)::int as count from referral_messages m
      left join referral_readings r on r.referral_id = m.referral_id and r.account_id = ${accountId}
    where m.referral_id = any(${referralIds}::uuid[]) and m.author_id <> ${accountId}
      and (r.last_message_id is null or m.id > r.last_message_id)
    group by m.referral_id`.execute(db);
  return new Map(rows.map(({ referralId, count }) => [referralId, count]));
}

export async function markRead(
  trx: Trx,
  referralId: string,
  accountId: string,
  lastId: string,
): Promise<void> {
  await sql`
    insert into referral_readings (referral_id, account_id, last_message_id)
    values (${referralId}, ${accountId}, ${lastId})
    on conflict (referral_id, account_id) do update
      set last_message_id = greatest(referral_readings.last_message_id, excluded.last_message_id)`.execute(
    trx,
  );
}

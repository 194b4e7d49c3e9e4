import { sql } from 'kysely';
import type { Caller } from '../accounts/index.ts';
import type { Db } from '../platform/database/index.ts';
import { idsVisibleTo } from '../referrals/index.ts';
import type { Message } from './channels/channel.ts';

export type CapturedMessage = {
  id: string;
  messageId: string;
  referralId: string;
  reference: string;
  /** The one it would have gone by. */
  channel: string;
  recipient: string;
  subject: string;
  body: string;
  capturedAt: Date;
};

type NewCapture = { id: string; channel: string; message: Message; letter: Buffer; at: Date };

/** Keeps the message of a delivery, once: sent again after a kill, it is the same message. */
export async function insertCapturedMessage(db: Db, capture: NewCapture): Promise<void> {
  const { id, channel, message, letter, at } = capture;
  await sql`
    insert into captured_messages (id, delivery_id, referral_id, message_id, channel, recipient, subject, body, letter,
      captured_at)
    values (${id}, ${message.deliveryId}, ${message.referralId}, ${message.id}, ${channel}, ${message.recipient.name},
      ${message.subject}, ${message.text}, ${letter}, ${at})
    on conflict (delivery_id) do nothing`.execute(db);
}

const columns = sql`
  m.id, m.message_id as "messageId", m.referral_id as "referralId", r.reference, m.channel, m.recipient, m.subject,
  m.body, m.captured_at as "capturedAt"`;

/** Newest first. Ids begin with the time they were made, so their order is that of capturing. */
export async function listCapturedMessages(
  db: Db,
  caller: Caller,
  page: { before: string | undefined; limit: number },
): Promise<CapturedMessage[]> {
  const before = page.before === undefined ? sql`` : sql`and m.id < ${page.before}`;
  const { rows } = await sql<CapturedMessage>`
    select ${columns} from captured_messages m join referrals r on r.id = m.referral_id
    where m.referral_id in (${idsVisibleTo(caller)}) ${before} order by m.id desc limit ${page.limit}`.execute(
    db,
  );
  return rows;
}

export async function findCapturedMessage(
  db: Db,
  caller: Caller,
  id: string,
): Promise<CapturedMessage | undefined> {
  const { rows } = await sql<CapturedMessage>`
    select ${columns} from captured_messages m join referrals r on r.id = m.referral_id
    where m.id = ${id} and m.referral_id in (${idsVisibleTo(caller)})`.execute(db);
  return rows[0];
}

export async function findCapturedLetter(db: Db, id: string): Promise<Buffer> {
  const { rows } = await sql<{ letter: Buffer }>`
    select letter from captured_messages where id = ${id}`.execute(db);
  return rows[0]!.letter;
}

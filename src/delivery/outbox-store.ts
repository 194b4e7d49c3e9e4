import { sql } from 'kysely';
import type { Caller } from '../accounts/index.ts';
import type { Db } from '../platform/database/index.ts';
import { idsVisibleTo } from '../referrals/index.ts';
import type { Message, Rendered, RenderedFile } from './channels/channel.ts';

export type CapturedMessage = {
  id: string;
  messageId: string;
  referralId: string;
  reference: string;
  /** The one it would have gone by. */
  channel: string;
  recipient: string;
  subject: string;
  /** Where it would have gone; null for what was captured before that was kept. */
  address: string | null;
  headers: Record<string, string>;
  body: string;
  capturedAt: Date;
};

type NewCapture = { id: string; channel: string; message: Message; rendered: Rendered; at: Date };

/** Keeps what a channel would have sent, once: sent again after a kill, it is the same message. */
export async function insertCapturedMessage(db: Db, capture: NewCapture): Promise<void> {
  const { id, channel, message, rendered, at } = capture;
  const { names, types, contents } = columnsOf(rendered.files);
  await sql`
    with captured as (
      insert into captured_messages (id, delivery_id, referral_id, message_id, channel, recipient, subject, address,
        headers, body, captured_at)
      values (${id}, ${message.deliveryId}, ${message.referral.id}, ${message.id}, ${channel},
        ${message.recipient.name}, ${message.subject}, ${rendered.address}, ${JSON.stringify(rendered.headers)}::jsonb,
        ${rendered.body}, ${at})
      on conflict (delivery_id, channel) do nothing returning id)
    insert into captured_files (captured_id, name, type, content)
    select captured.id, f.name, f.type, f.content
    from captured cross join unnest(${names}::text[], ${types}::text[], ${contents}::bytea[]) as f(name, type, content)`.execute(
    db,
  );
}

function columnsOf(files: Rendered['files']) {
  return {
    names: files.map(({ name }) => name),
    types: files.map(({ type }) => type),
    contents: files.map(({ content }) => content),
  };
}

const columns = sql`
  m.id, m.message_id as "messageId", m.referral_id as "referralId", r.reference, m.channel, m.recipient, m.subject,
  m.address, m.headers, m.body, m.captured_at as "capturedAt"`;

/** Newest first. Ids begin with the time they were made, so their order is that of capturing. */
export async function listCapturedMessages(
  db: Db,
  caller: Caller,
  page: { before: string | undefined; limit: number },
): Promise<CapturedMessage[]> {
  const before = page.before === undefined ? sql`` : sql`and m.id < ${page.before}`;
  const { rows } = await sql<CapturedMessage>`
    select ${columns} from captured_messages m join referrals r on r.id = m.referral_id and r.restricted_at is null
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
    select ${columns} from captured_messages m join referrals r on r.id = m.referral_id and r.restricted_at is null
    where m.id = ${id} and m.referral_id in (${idsVisibleTo(caller)})`.execute(db);
  return rows[0];
}

/** The names of the files that would have gone with it. */
export async function listCapturedFiles(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from captured_files where captured_id = ${id} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

export async function findCapturedFile(db: Db, id: string, name: string): Promise<RenderedFile | undefined> {
  const { rows } = await sql<RenderedFile>`
    select name, type, content from captured_files where captured_id = ${id} and name = ${name}`.execute(db);
  return rows[0];
}

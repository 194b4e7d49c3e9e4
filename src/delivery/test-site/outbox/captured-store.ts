import { sql } from 'kysely';
import type { Caller } from '../../../accounts/index.ts';
import { codeTelephone, listAddressChanges } from '../../../library/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type DeliveryLeg, idsVisibleToSql } from '../../../referrals/index.ts';
import { letterFile, type RenderedFile, type RenderedMessage } from '../../channels/channel.ts';
import type { WrittenLetter } from '../../letter/letter.ts';

export type CapturedMessage = {
  id: string;
  messageId: string;
  referralId: string;
  reference: string;
  leg: DeliveryLeg;
  /** The channel that would have sent it. */
  channel: string;
  recipient: string;
  subject: string;
  /** Where it would have gone; null if it was captured before addresses were stored. */
  address: string | null;
  headers: Record<string, string>;
  body: string;
  capturedAt: Date;
};

/**
 * Stores each message once, even if it is sent again after a crash. A letter is stored as
 * text and drawn when somebody opens it.
 */
export async function insertCapturedMessages(
  db: Db,
  channel: string,
  messages: readonly RenderedMessage[],
  at: Date,
): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map((each) => rowOf(each, at));
  await sql`
    insert into captured_messages (id, delivery_id, referral_id, message_id, channel, recipient, subject, address,
      headers, body, letter, captured_at)
    select id, delivery_id, referral_id, message_id, ${channel}, recipient, subject, address, headers, body, letter, ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(id uuid, delivery_id uuid, referral_id uuid,
      message_id uuid, recipient text, subject text, address text, headers jsonb, body text, letter jsonb)
    on conflict (delivery_id, channel) do nothing`.execute(db);
  const files = messages.flatMap(({ message, rendered }) =>
    rendered.files.flatMap((file) =>
      'content' in file ? [{ ...file, deliveryId: message.deliveryId }] : [],
    ),
  );
  if (files.length > 0) await insertCapturedFiles(db, channel, files);
}

function rowOf({ message, rendered }: RenderedMessage, at: Date) {
  const letter = rendered.files.find((file) => 'letter' in file)?.letter;
  return {
    id: newId(at.getTime()),
    delivery_id: message.deliveryId,
    referral_id: message.referral.id,
    message_id: message.id,
    recipient: message.receiver.name,
    subject: message.subject,
    address: rendered.address,
    headers: rendered.headers,
    body: rendered.body,
    letter,
  };
}

type NewFile = { deliveryId: string; name: string; type: string; content: Buffer };

async function insertCapturedFiles(db: Db, channel: string, files: readonly NewFile[]): Promise<void> {
  const deliveryIds = files.map(({ deliveryId }) => deliveryId);
  const names = files.map(({ name }) => name);
  const types = files.map(({ type }) => type);
  const contents = files.map(({ content }) => content);
  await sql`
    insert into captured_files (captured_id, name, type, content)
    select c.id, f.name, f.type, f.content
    from unnest(${deliveryIds}::uuid[], ${names}::text[], ${types}::text[], ${contents}::bytea[])
      as f(delivery_id, name, type, content)
    join captured_messages c on c.delivery_id = f.delivery_id and c.channel = ${channel}
    on conflict do nothing`.execute(db);
}

const columnsSql = sql`
  m.id, m.message_id as "messageId", m.referral_id as "referralId", r.reference, d.leg, m.channel, m.recipient, m.subject,
  m.address, m.headers, m.body, m.captured_at as "capturedAt"`;

/** Newest first: ids begin with their time. */
export async function listCapturedMessages(
  db: Db,
  caller: Caller,
  page: { before: string | undefined; limit: number },
): Promise<CapturedMessage[]> {
  const before = page.before === undefined ? sql`` : sql`and m.id < ${page.before}`;
  const { rows } = await sql<CapturedMessage>`
    select ${columnsSql} from captured_messages m join referrals r on r.id = m.referral_id and r.restricted_at is null
      join deliveries d on d.id = m.delivery_id
    where m.referral_id in (${idsVisibleToSql(caller)}) ${before} order by m.id desc limit ${page.limit}`.execute(
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
    select ${columnsSql} from captured_messages m join referrals r on r.id = m.referral_id and r.restricted_at is null
      join deliveries d on d.id = m.delivery_id
    where m.id = ${id} and m.referral_id in (${idsVisibleToSql(caller)})`.execute(db);
  return rows[0];
}

/** The names of the message's files. */
export async function listCapturedFileNames(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from captured_files where captured_id = ${id}
    union select ${letterFile.name} from captured_messages where id = ${id} and letter is not null
    order by name`.execute(db);
  return rows.map(({ name }) => name);
}

export async function findCapturedFile(db: Db, id: string, name: string): Promise<RenderedFile | undefined> {
  const { rows } = await sql<RenderedFile>`
    select name, type, content from captured_files where captured_id = ${id} and name = ${name}`.execute(db);
  if (rows[0] || name !== letterFile.name) return rows[0];
  const written = await sql<{ letter: WrittenLetter }>`
    select letter from captured_messages where id = ${id} and letter is not null`.execute(db);
  return written.rows[0] && { ...letterFile, ...written.rows[0] };
}

/**
 * The email addresses and mobile numbers by which a sensitive or confidential service is reached: its own, also those that are not
 * confirmed yet or that it had before, and those of its staff.
 */
export async function listConfidentialMailboxes({
  db,
  secrets,
}: Pick<Platform, 'db' | 'secrets'>): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    with confidential as (
      select service_id from service_referral_settings where sensitive or location_confidential)
    select lower(address) as address from delivery_addresses join confidential using (service_id)
      where address like '%@%' or channel = ${codeTelephone}
    union
    select lower(address) from pending_delivery_addresses join confidential using (service_id)
      where address like '%@%' or channel = ${codeTelephone}
    union
    select lower(a.email) from confidential c join services s on s.id = c.service_id
      join organisations o on o.library_organization_id = s.organization_id
      join accounts a on a.organisation_id = o.id and 'provider' = any(a.roles)`.execute(db);
  return [...rows.map(({ address }) => address), ...(await listFormerMailboxes({ db, secrets }))];
}

async function listFormerMailboxes(deps: Pick<Platform, 'db' | 'secrets'>): Promise<string[]> {
  const { rows } = await sql<{ serviceId: string }>`
    select distinct service_id as "serviceId" from delivery_address_history
      join service_referral_settings using (service_id)
    where sensitive or location_confidential`.execute(deps.db);
  const former: string[] = [];
  for (const { serviceId } of rows)
    for (const { channel, from, to } of await listAddressChanges(deps, { serviceId }))
      for (const address of [from, to])
        if (address?.includes('@') || (address && channel === codeTelephone))
          former.push(address.toLowerCase());
  return former;
}

import { sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';
import { dayMs } from '../../../platform/durations.ts';
import type { IncomingMessage } from './incoming.ts';

/** Anybody with a mailbox may write to this one, so the space for unmatched messages is limited. */
const maxBytesOfPart = 64 * 1024;
const maxBytesOfAll = 50_000_000;
const maxUnmatchedMessages = 10_000;

/**
 * Whether a message has been handled, and whether it stays at the exchange: the site could not keep all of it, or has no room for it yet.
 * Anybody with a mailbox may send many, so one without room is not downloaded again in each round.
 */
export async function findHandled(db: Db, id: string): Promise<{ staysAtExchange: boolean } | undefined> {
  const { rows } = await sql<{ staysAtExchange: boolean }>`
    select kept_whole is false as "staysAtExchange" from mesh_messages where id = ${id} and handled_at is not null
    union all
    select true from mesh_messages_left
    where id = ${id} and not exists (select from mesh_messages where id = ${id})
      and (select count(*) from mesh_messages where not matched) >= ${maxUnmatchedMessages}`.execute(db);
  return rows[0];
}

/** The exchange's own id of a message of this site, if its last answer gave one. */
export async function findExternalId(db: Db, messageId: string): Promise<string | null> {
  const { rows } = await sql<{ externalId: string | null }>`
    select external_id as "externalId" from deliveries where message_id = ${messageId} and channel = 'mesh'`.execute(
    db,
  );
  return rows[0]?.externalId ?? null;
}

/**
 * Stores a message, once: whole, or its beginning if not all of it was collected, or nothing but its headers if there is no space.
 * The header `mex-to` is left out: in a report it may contain the NHS number, name and birth date of a patient.
 */
export async function storeMessage(
  db: Db,
  { id, type, workflow, headers, body, length, isWhole }: IncomingMessage,
  at: Date,
): Promise<void> {
  const kept = Object.entries(headers)
    .filter(([name]) => name !== 'mex-to' && /^(mex|content)-/.test(name))
    .map(([name, value]) => [name, value.slice(0, 300)]);
  const content = isWhole ? body : body.subarray(0, maxBytesOfPart);
  await sql`
    insert into mesh_messages (id, type, workflow, headers, body, length, kept_whole, received_at)
    select ${id}, ${type}, ${workflow.slice(0, 300)}, ${JSON.stringify(Object.fromEntries(kept))}::jsonb,
      case when has_space then ${content}::bytea else ''::bytea end, ${length},
      ${isWhole}::boolean and (has_space or ${content.length}::int = 0), ${at}
    from (select coalesce(sum(octet_length(body)), 0) + ${content.length}::int <= ${maxBytesOfAll} as has_space
      from mesh_messages where matched is not true) space
    on conflict (id) do nothing`.execute(db);
}

/**
 * Deletes this unmatched message if it is beyond the limit. It then stays at the exchange, which tells its sender after five
 * days that nobody collected it. @returns whether it did.
 */
export async function deleteBeyondLimit(db: Db, id: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    with deleted as (
      delete from mesh_messages
      where id = ${id} and (select count(*) from mesh_messages where not matched) > ${maxUnmatchedMessages}
      returning id)
    insert into mesh_messages_left (id, left_at) select id, ${at} from deleted
    on conflict (id) do update set left_at = excluded.left_at
    returning 1`.execute(db);
  return rows.length > 0;
}

/**
 * Empties the body of a matched message. Its report is already in the attempts, and the rest may be about the patient and
 * must not outlive their record. @returns whether it stays at the exchange.
 */
export async function markHandled(
  db: Db,
  id: string,
  { matched, at }: { matched: boolean; at: Date },
): Promise<{ staysAtExchange: boolean }> {
  const { rows } = await sql<{ staysAtExchange: boolean }>`
    update mesh_messages set matched = ${matched}, handled_at = ${at},
      body = case when ${matched} then ''::bytea else body end,
      kept_whole = case when ${matched} then null else kept_whole end
    where id = ${id} returning kept_whole is false as "staysAtExchange"`.execute(db);
  return rows[0]!;
}

const keptDays = 30;

/**
 * Deletes matched messages after a month. Unmatched messages stay until somebody has resolved them. By then the exchange has long told the
 * senders of those that were left there.
 */
export async function deleteOldMeshMessages(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * dayMs);
  await sql`delete from mesh_messages where matched and received_at < ${before}`.execute(db);
  await sql`delete from mesh_messages_left where left_at < ${before}`.execute(db);
}

export type UnmatchedMessage = {
  id: string;
  type: string;
  workflow: string;
  sender: string | null;
  /** When it arrived here. */
  receivedAt: Date;
  length: number;
  keptLength: number;
  /** Only its beginning, or nothing, is kept. */
  isCut: boolean;
  /** The exchange was not told that it arrived, because it is cut. */
  staysAtExchange: boolean;
};

/** Messages may come packed and are kept unpacked. Before `kept_whole` was noted, only longer ones than this were cut. */
const maxUncutBytes = 64_000;

const unmatchedColumnsSql = sql`
  id, type, workflow, headers ->> 'mex-from' as sender, received_at as "receivedAt", length::float8 as length, octet_length(body) as "keptLength",
  coalesce(not kept_whole, length > ${maxUncutBytes} and octet_length(body) < length) as "isCut",
  kept_whole is false as "staysAtExchange"`;

/** Messages that match nothing this site has sent, or do not come from where it was sent; oldest first. */
export async function listUnmatchedMessages(db: Db, limit: number): Promise<UnmatchedMessage[]> {
  const { rows } = await sql<UnmatchedMessage>`
    select ${unmatchedColumnsSql} from mesh_messages where not matched order by received_at, id limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** The unmatched messages among these, by their ids. */
export async function findUnmatchedMessages(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, UnmatchedMessage>> {
  const { rows } = await sql<UnmatchedMessage>`
    select ${unmatchedColumnsSql} from mesh_messages where id = any(${ids}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export type KeptMessage = UnmatchedMessage & {
  headers: Record<string, string>;
  body: Buffer;
};

/** A message with all that is kept of it. */
export async function findMeshMessage(db: Db, id: string): Promise<KeptMessage | undefined> {
  const { rows } = await sql<KeptMessage>`
    select ${unmatchedColumnsSql}, headers, body from mesh_messages where id = ${id}`.execute(db);
  return rows[0];
}

/** From now on the message is treated as matched, and deleted after a month. */
export async function markMessageResolved(db: Db, id: string): Promise<void> {
  await db.updateTable('mesh_messages').set({ matched: true }).where('id', '=', id).execute();
}

export async function countUnmatchedMessages(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('mesh_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('matched', '=', false)
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether newer messages stay at the exchange, because too many wait here already. */
export async function isFullOfUnmatched(db: Db): Promise<boolean> {
  return (await countUnmatchedMessages(db)) >= maxUnmatchedMessages;
}

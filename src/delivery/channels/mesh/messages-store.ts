import { sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';
import { dayMs } from '../../../platform/durations.ts';
import type { IncomingMessage } from './incoming.ts';

export async function isHandled(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from mesh_messages where id = ${id} and handled_at is not null`.execute(db);
  return rows.length > 0;
}

/** The exchange's own id of a message of this site, if its last answer gave one. */
export async function findExternalId(db: Db, messageId: string): Promise<string | null> {
  const { rows } = await sql<{ externalId: string | null }>`
    select external_id as "externalId" from deliveries where message_id = ${messageId} and channel = 'mesh'`.execute(
    db,
  );
  return rows[0]?.externalId ?? null;
}

/** Anybody with a mailbox may write to this one, so the space for unmatched messages is limited. */
const maxBytesOfEach = 64 * 1024;
const maxBytesOfAll = 50_000_000;
const maxMessages = 10_000;

/**
 * Stores the beginning of a message, once. The header `mex-to` is left out: in a report it may contain the NHS number, name
 * and birth date of a patient.
 */
export async function storeMessage(
  db: Db,
  { id, type, workflow, headers, body, length }: IncomingMessage,
  at: Date,
): Promise<void> {
  const kept = Object.entries(headers)
    .filter(([name]) => name !== 'mex-to' && /^(mex|content)-/.test(name))
    .map(([name, value]) => [name, value.slice(0, 300)]);
  const head = body.subarray(0, maxBytesOfEach);
  await sql`
    insert into mesh_messages (id, type, workflow, headers, body, length, received_at)
    select ${id}, ${type}, ${workflow.slice(0, 300)}, ${JSON.stringify(Object.fromEntries(kept))}::jsonb,
      case when (select coalesce(sum(octet_length(body)), 0) from mesh_messages where matched is not true) < ${maxBytesOfAll}
        then ${head}::bytea else ''::bytea end, ${length}, ${at}
    on conflict (id) do nothing`.execute(db);
}

/** Deletes this unmatched message if it is beyond the limit. @returns whether it did. */
export async function deleteBeyondLimit(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from mesh_messages
    where id = ${id} and (select count(*) from mesh_messages where not matched) > ${maxMessages}
    returning 1`.execute(db);
  return rows.length > 0;
}

/**
 * Empties the body of a matched message. Its report is already in the attempts, and the rest may be about the patient and
 * must not outlive their record.
 */
export async function markHandled(
  db: Db,
  id: string,
  { matched, at }: { matched: boolean; at: Date },
): Promise<void> {
  await sql`
    update mesh_messages set matched = ${matched}, handled_at = ${at},
      body = case when ${matched} then ''::bytea else body end
    where id = ${id}`.execute(db);
}

const keptDays = 30;

/** Deletes matched messages after a month. Unmatched messages stay until somebody has resolved them. */
export async function deleteOldMeshMessages(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * dayMs);
  await sql`delete from mesh_messages where matched and received_at < ${before}`.execute(db);
}

export type UnmatchedMessage = {
  id: string;
  type: string;
  workflow: string;
  sender: string | null;
  length: number;
  keptLength: number;
};

/** Messages that match nothing this site has sent, or do not come from where it was sent; oldest first. */
export async function listUnmatchedMessages(db: Db, limit: number): Promise<UnmatchedMessage[]> {
  const { rows } = await sql<UnmatchedMessage>`
    select id, type, workflow, headers ->> 'mex-from' as sender, length::float8 as length,
      octet_length(body) as "keptLength" from mesh_messages
    where not matched order by received_at, id limit ${limit}`.execute(db);
  return rows;
}

export async function findMeshMessage(db: Db, id: string): Promise<Buffer | undefined> {
  const message = await db.selectFrom('mesh_messages').select('body').where('id', '=', id).executeTakeFirst();
  return message?.body;
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

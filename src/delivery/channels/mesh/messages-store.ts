import { sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';
import type { Incoming } from './incoming.ts';

export async function hasTaken(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from mesh_messages where id = ${id} and taken_at is not null`.execute(db);
  return rows.length > 0;
}

/**
 * Keeps a message as it came, once, but for its address: in a report that is the address of a message of ours, which may
 * be made of a patient's number, name and birth date.
 */
export async function keepMessage(
  db: Db,
  { id, type, workflow, headers, body }: Incoming,
  at: Date,
): Promise<void> {
  const { 'mex-to': _address, ...kept } = headers;
  await sql`
    insert into mesh_messages (id, type, workflow, headers, body, received_at)
    values (${id}, ${type}, ${workflow}, ${JSON.stringify(kept)}::jsonb, ${body}, ${at})
    on conflict (id) do nothing`.execute(db);
}

/**
 * Of what was understood the news alone is needed, which stands beside the attempts: what else a practice's system wrote
 * may be about the patient, and would outlive the record that is erased.
 */
export async function markTaken(
  db: Db,
  id: string,
  { understood, at }: { understood: boolean; at: Date },
): Promise<void> {
  await sql`
    update mesh_messages set understood = ${understood}, taken_at = ${at},
      body = case when ${understood} then ''::bytea else body end
    where id = ${id}`.execute(db);
}

const keptDays = 30;

/** Forgets what was understood, a month later. What was not stays until somebody has looked at it. */
export async function deleteOldMeshMessages(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * 24 * 60 * 60_000);
  await sql`delete from mesh_messages where understood and received_at < ${before}`.execute(db);
}

export type UnexplainedMessage = { id: string; type: string; workflow: string; sender: string | null };

/** Those that were about nothing that this site had sent, oldest first. */
export async function listNotUnderstood(db: Db, limit: number): Promise<UnexplainedMessage[]> {
  const { rows } = await sql<UnexplainedMessage>`
    select id, type, workflow, headers ->> 'mex-from' as sender from mesh_messages
    where not understood order by received_at, id limit ${limit}`.execute(db);
  return rows;
}

export async function findMeshMessage(db: Db, id: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ body: Buffer }>`select body from mesh_messages where id = ${id}`.execute(db);
  return rows[0]?.body;
}

/** Somebody has looked at it, so it goes like those that were understood. */
export async function markLookedAt(db: Db, id: string): Promise<void> {
  await sql`update mesh_messages set understood = true where id = ${id}`.execute(db);
}

export async function countNotUnderstood(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from mesh_messages where not understood`.execute(db);
  return rows[0]!.count;
}

import { sql } from 'kysely';
import { markHandled, storeMessage } from '../../src/delivery/channels/mesh/messages-store.ts';
import type { Db } from '../../src/platform/database/index.ts';

type UnmatchedMessage = {
  id: string;
  type?: 'DATA' | 'REPORT';
  from: string;
  body: string | Buffer;
  /** Its whole length, if only its beginning came. */
  length?: number;
};

/** Stores a message that the site received from the NHS message exchange and could not place. */
export async function storeUnmatchedMessage(
  db: Db,
  { id, type = 'DATA', from, body, length }: UnmatchedMessage,
): Promise<void> {
  const at = new Date();
  const content = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const message = {
    id,
    type,
    workflow: 'OTHER',
    headers: { 'mex-from': from },
    body: content,
    length: length ?? content.length,
    isWhole: length === undefined,
  };
  await storeMessage(db, message, at);
  await markHandled(db, id, { matched: false, at });
}

/** Stores this many messages of this length that the site could not place, as if they had come over the years. */
export async function storeUnmatchedMessages(
  db: Db,
  { count, bytes }: { count: number; bytes: number },
): Promise<void> {
  await sql`
    insert into mesh_messages (id, type, workflow, headers, body, received_at, matched)
    select 'old' || n, 'DATA', '', '{}', decode(repeat('00', ${bytes}::int), 'hex'), now(), false
    from generate_series(1, ${count}::int) n`.execute(db);
}

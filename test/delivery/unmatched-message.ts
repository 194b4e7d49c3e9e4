import { keepMessage, markHandled } from '../../src/delivery/channels/mesh/messages-store.ts';
import type { Db } from '../../src/platform/database/index.ts';

type UnmatchedMessage = { id: string; type?: 'DATA' | 'REPORT'; from: string; body: string };

/** Stores a message that the site received from the NHS message exchange and could not place. */
export async function storeUnmatchedMessage(
  db: Db,
  { id, type = 'DATA', from, body }: UnmatchedMessage,
): Promise<void> {
  const at = new Date();
  const content = Buffer.from(body);
  const headers = { 'mex-from': from };
  await keepMessage(db, { id, type, workflow: 'OTHER', headers, body: content, length: content.length }, at);
  await markHandled(db, id, { matched: false, at });
}

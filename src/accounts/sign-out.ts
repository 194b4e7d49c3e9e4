import { type Actor, recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { deleteSession } from './sessions-store.ts';

/** Ends a session, at the server as well: a copy of its cookie opens nothing afterwards. */
export async function signOut(deps: Platform, actor: Actor, sessionId: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await deleteSession(trx, deps.secrets.hash('session', sessionId));
    await recordAudit(trx, { at: deps.clock.now(), actor, action: 'session.ended' });
  });
}

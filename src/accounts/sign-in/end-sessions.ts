import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { actorOf, type Caller } from '../model/caller.ts';
import { deleteOtherSessions, deleteOwnSession, deleteSession } from '../model/sessions-store.ts';

/** Ends one of the caller's sessions. Nothing happens if it has ended already. */
export async function endSession(
  deps: Platform,
  caller: Caller,
  id: string,
  ipAddress: string,
): Promise<void> {
  if (!isUuid(id)) return;
  await inTransaction(deps.db, async (trx) => {
    if (await deleteOwnSession(trx, caller.accountId, id))
      await recordAudit(trx, {
        at: deps.clock.now(),
        actor: actorOf(caller, ipAddress),
        action: 'session.ended',
        subject: { type: 'session', id },
      });
  });
}

/** Ends all sessions of the caller but the one with the given secret. */
export async function endOtherSessions(
  deps: Platform,
  caller: Caller,
  ownSecret: string,
  ipAddress: string,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const ownHash = deps.secrets.hash('session', ownSecret);
    const sessions = await deleteOtherSessions(trx, caller.accountId, ownHash);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'session.others_ended',
      subject: { type: 'account', id: caller.accountId },
      details: { sessions },
    });
  });
}

/** Ends a session at the server, so that a copy of its cookie does not work either. */
export async function signOut(deps: Platform, actor: Actor, sessionSecret: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await deleteSession(trx, deps.secrets.hash('session', sessionSecret));
    await recordAudit(trx, { at: deps.clock.now(), actor, action: 'session.ended' });
  });
}

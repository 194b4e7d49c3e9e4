import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { signInRefusals } from '../refuse-sign-in.ts';

/** Does something; where it is refused, the audit keeps that, though the transaction it was refused in is undone. */
export async function orRecordRefusal<T>(
  deps: Platform,
  action: 'session.started' | 'identity.linked',
  actor: Actor,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (action === 'session.started') signInRefusals.openid_connect += 1;
    const details = { method: 'openid-connect', reason: error.kind.type };
    const entry = { at: deps.clock.now(), actor, action, outcome: 'refused', details } as const;
    await inTransaction(deps.db, (trx) => recordAudit(trx, entry));
    throw error;
  }
}

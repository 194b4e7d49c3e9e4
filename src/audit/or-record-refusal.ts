import { inTransaction } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem } from '../platform/problem/index.ts';
import type { AuditEntry } from './entry.ts';
import { recordRefusal } from './record-refusal.ts';
import { recordAudit } from './store.ts';

/**
 * Does something; where it is refused, the audit keeps that and the reason, though the transaction it was refused in is
 * undone. What was sent is not kept: a form may have been sent with a secret in the wrong field.
 */
export async function orRecordRefusal<T>(
  deps: Platform,
  entry: Omit<AuditEntry, 'at' | 'outcome'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const reason = error.errors?.[0]?.message ?? error.kind.type;
    const details = { ...entry.details, reason };
    // Nobody's account: a stranger, who may come back at once and as often as they like.
    if (entry.actor.id === undefined) await recordRefusal(deps, { ...entry, details });
    else
      await inTransaction(deps.db, (trx) =>
        recordAudit(trx, { ...entry, at: deps.clock.now(), outcome: 'refused', details }),
      );
    throw error;
  }
}

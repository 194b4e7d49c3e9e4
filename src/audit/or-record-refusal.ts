import { inTransaction } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem } from '../platform/problem/index.ts';
import type { AuditEntry } from './entry.ts';
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
    const refusal = { ...entry, outcome: 'refused', details: { ...entry.details, reason } } as const;
    await inTransaction(deps.db, (trx) => recordAudit(trx, { ...refusal, at: deps.clock.now() }));
    throw error;
  }
}

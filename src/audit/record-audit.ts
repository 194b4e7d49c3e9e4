import type { Trx } from '../platform/database/index.ts';
import type { AuditEntry } from './entry.ts';
import { insertAuditEntry } from './store.ts';

/** Writes an entry in the transaction of the change it tells of, so that there is never one without the other. */
export async function recordAudit(trx: Trx, entry: AuditEntry): Promise<void> {
  await insertAuditEntry(trx, entry);
}

import { inTransaction } from '../platform/database/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type Actor, recordAudit } from './entries-store.ts';
import { type AuditFilter, auditRead, listEntries, type StoredAuditEntry } from './search-store.ts';

export type AuditPage = { entries: StoredAuditEntry[]; next: number | undefined };

/** A page of the entries that a filter finds, newest first. The search is recorded itself, with its first page. */
export function searchAudit(
  deps: Platform,
  actor: Actor,
  filter: AuditFilter,
  page: { after?: number | undefined; limit: number },
): Promise<AuditPage> {
  const { after, limit } = page;
  return inTransaction(deps.db, async (trx) => {
    const found = await listEntries(trx, filter, after, limit + 1);
    const entries = found.slice(0, limit);
    if (after === undefined) {
      const at = deps.clock.now();
      await recordAudit(trx, { at, actor, action: auditRead, details: { filter: describeFilter(filter) } });
    }
    return { entries, next: found.length > limit ? entries.at(-1)!.id : undefined };
  });
}

/** The filter for the audit, without free text: somebody may have pasted a secret by mistake. */
function describeFilter({ actor, subjectId, ...others }: AuditFilter): Record<string, unknown> {
  return {
    ...others,
    ...(actor && { accounts: actor.ids }),
    ...(subjectId !== undefined && { subject: isUuid(subjectId) ? subjectId : 'another text' }),
  };
}

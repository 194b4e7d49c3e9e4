import { inTransaction, type Trx } from '../platform/database/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type Actor, recordAudit } from './entries-store.ts';
import { type AuditFilter, auditRead, listEntries, type StoredAuditEntry } from './search-store.ts';

export type AuditPage = { entries: StoredAuditEntry[]; next: number | undefined };

/** Hides the entries, and the details of entries, that the reader may not see. */
export type HideEntries = (trx: Trx, entries: readonly StoredAuditEntry[]) => Promise<StoredAuditEntry[]>;

/** A page reads at most this many batches. Otherwise a search whose entries are all hidden would read the whole audit. */
const maxBatches = 20;

/**
 * A page of the entries that a filter finds, newest first. The audit records the search when its first page is read. Older entries fill
 * the places of hidden ones, so that nobody can count them.
 */
export function searchAudit(
  deps: Platform,
  actor: Actor,
  filter: AuditFilter,
  { after, limit, hide }: { after?: number | undefined; limit: number; hide: HideEntries },
): Promise<AuditPage> {
  return inTransaction(deps.db, async (trx) => {
    const entries: StoredAuditEntry[] = [];
    let last = after;
    let isMore = true;
    for (let batch = 0; isMore && entries.length <= limit && batch < maxBatches; batch += 1) {
      const batchEntries = await listEntries(trx, filter, last, limit + 1);
      entries.push(...(await hide(trx, batchEntries)));
      last = batchEntries.at(-1)?.id ?? last;
      isMore = batchEntries.length > limit;
    }
    if (after === undefined) {
      const at = deps.clock.now();
      await recordAudit(trx, { at, actor, action: auditRead, details: { filter: describeFilter(filter) } });
    }
    if (entries.length > limit) return { entries: entries.slice(0, limit), next: entries[limit - 1]!.id };
    return { entries, next: isMore ? last : undefined };
  });
}

/** The filter for the audit, without free text: somebody may have pasted a secret by mistake. */
function describeFilter({ actor, subjectId, group, ...others }: AuditFilter): Record<string, unknown> {
  return {
    ...others,
    ...(group && { group: group.name }),
    ...(actor && { accounts: actor.ids }),
    ...(subjectId !== undefined && { subject: isUuid(subjectId) ? subjectId : 'another text' }),
  };
}

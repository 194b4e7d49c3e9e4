import type { Selectable } from 'kysely';
import type { Db } from '../../src/platform/database/index.ts';
import type { AuditEntries } from '../../src/platform/database/tables.ts';

// What the database holds of the audit, for tests that look behind the pages and the API.

type EntryFilter = {
  action?: string;
  actorId?: string;
  actorName?: string;
  subjectId?: string;
  outcome?: 'done' | 'refused';
};
type StoredEntry = Selectable<AuditEntries> & { details: any };

/** The entries of the audit that match, the oldest first. */
export async function storedEntries(db: Db, filter: EntryFilter): Promise<StoredEntry[]> {
  let entries = db.selectFrom('audit_entries').selectAll().orderBy('id');
  if (filter.action !== undefined) entries = entries.where('action', '=', filter.action);
  if (filter.actorId !== undefined) entries = entries.where('actor_id', '=', filter.actorId);
  if (filter.actorName !== undefined) entries = entries.where('actor_name', '=', filter.actorName);
  if (filter.subjectId !== undefined) entries = entries.where('subject_id', '=', filter.subjectId);
  if (filter.outcome !== undefined) entries = entries.where('outcome', '=', filter.outcome);
  return entries.execute();
}

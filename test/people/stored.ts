import type { Selectable } from 'kysely';
import type { Db } from '../../src/platform/database/index.ts';
import type { AuditEntries, DB } from '../../src/platform/database/tables.ts';

// What the database holds, for tests that look behind the pages and the API.

type AuditFilter = { action?: string; actorId?: string; subjectId?: string; outcome?: 'done' | 'refused' };
type StoredEntry = Selectable<AuditEntries> & { details: any };

/** The entries of the audit that match, the oldest first. */
export async function auditEntries(db: Db, filter: AuditFilter): Promise<StoredEntry[]> {
  let entries = db.selectFrom('audit_entries').selectAll().orderBy('id');
  if (filter.action !== undefined) entries = entries.where('action', '=', filter.action);
  if (filter.actorId !== undefined) entries = entries.where('actor_id', '=', filter.actorId);
  if (filter.subjectId !== undefined) entries = entries.where('subject_id', '=', filter.subjectId);
  if (filter.outcome !== undefined) entries = entries.where('outcome', '=', filter.outcome);
  return entries.execute();
}

/** All rows of a table, as one text to search for what must not be there. */
export async function textOfTable(db: Db, table: keyof DB & string): Promise<string> {
  const rows: Record<string, unknown>[] = await db.selectFrom(table).selectAll().execute();
  const readable = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer'
      ? Buffer.from((value as unknown as { data: number[] }).data).toString('latin1')
      : value;
  return JSON.stringify(rows, readable);
}

export async function countRows(db: Db, table: keyof DB & string): Promise<number> {
  const rows: unknown[] = await db.selectFrom(table).selectAll().execute();
  return rows.length;
}
export async function countAccessTokens(db: Db, accountId: string): Promise<number> {
  const tokens = db.selectFrom('access_tokens').select('hash').where('account_id', '=', accountId);
  return (await tokens.execute()).length;
}

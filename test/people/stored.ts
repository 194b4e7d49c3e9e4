import type { Selectable } from 'kysely';
import { insertPasskey } from '../../src/accounts/factors/passkeys-store.ts';
import { type Db, inTransaction } from '../../src/platform/database/index.ts';
import type { AuditEntries, DB } from '../../src/platform/database/tables.ts';
import { newId } from '../../src/platform/ids/index.ts';

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

/** As if somebody had never chosen a password. */
export async function removePassword(db: Db, accountId: string): Promise<void> {
  await db.updateTable('accounts').set({ password_hash: null }).where('id', '=', accountId).execute();
}

/** Stores a passkey of somebody, which no device has. */
export async function storePasskey(db: Db, accountId: string): Promise<void> {
  const key = {
    credentialId: newId(),
    publicKey: Buffer.alloc(1),
    signCount: 0,
    transports: [],
    name: 'Key',
  };
  const passkey = { id: newId(), accountId, createdAt: new Date(), ...key };
  await inTransaction(db, (trx) => insertPasskey(trx, passkey));
}

/** The imports whose files are kept. */
export function keptImportFiles(db: Db): Promise<{ id: string; state: string; isFeed: boolean }[]> {
  return db
    .selectFrom('library_imports')
    .innerJoin('library_import_chunks', 'import_id', 'id')
    .select(['id', 'state', 'is_feed as isFeed'])
    .distinct()
    .execute();
}

export function storedServices(db: Db): Promise<{ id: string; name: string; status: string }[]> {
  return db.selectFrom('services').select(['id', 'name', 'status']).orderBy('id').execute();
}

/** The services in full as JSON text, as they are stored, by their ids. */
export async function storedDocuments(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('service_documents').select(['service_id', 'document']).execute();
  return new Map(rows.map(({ service_id, document }) => [service_id, document]));
}

import type { Db } from '../../src/platform/database/index.ts';

// What the database holds of the library, for tests that look behind the pages and the API.

/** The imports whose files are kept. */
export function keptImportFiles(db: Db): Promise<{ id: string; state: string; isFeed: boolean }[]> {
  return db
    .selectFrom('library_imports')
    .innerJoin('library_import_chunks', 'import_id', 'id')
    .select(['id', 'state', 'is_feed as isFeed'])
    .distinct()
    .execute();
}

/** The id, name and status of every service. */
export function storedServices(db: Db): Promise<{ id: string; name: string; status: string }[]> {
  return db.selectFrom('services').select(['id', 'name', 'status']).orderBy('id').execute();
}

/** The services in full as JSON text, as they are stored, by their ids. */
export async function storedDocuments(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('service_documents').select(['service_id', 'document']).execute();
  return new Map(rows.map(({ service_id, document }) => [service_id, document]));
}

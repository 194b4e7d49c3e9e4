import { sql } from 'kysely';
import type { Db } from '../../src/platform/database/index.ts';

const tables = [
  'services',
  'organizations',
  'taxonomy_terms',
  'taxonomies',
  'library_changes',
  'library_sources',
];

/** Leaves nothing in the library; truncating it would reach for the referrals that name its services. */
export async function emptyLibrary(db: Db): Promise<void> {
  for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(db);
}

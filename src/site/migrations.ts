import { migrationHistory } from '../../migrations/index.ts';
import type { MigrationHistory } from '../platform/database/index.ts';

/** What brings the database of a site to this version. */
export const migrations: MigrationHistory = {
  ...migrationHistory(),
  // Loaded only here, because most commands and starts find a database that is up to date.
  afterwards: async (trx) => (await import('../library/index.ts')).buildMissingFilterRows(trx),
};

import { migrationHistory } from '../../migrations/index.ts';
import type { Trx } from '../platform/database/index.ts';

/** What brings the database of a site to this version. The library is loaded only if an old site's services are read again. */
export const migrations = migrationHistory({
  // A migration runs in a transaction, so its `db` is a Trx.
  filterRows: async (db, services, now) => {
    const { rebuildFilterRows } = await import('../library/index.ts');
    await rebuildFilterRows(db as unknown as Trx, services, now);
  },
  offers: async (db, services, now) => {
    const { rebuildOffers } = await import('../library/index.ts');
    await rebuildOffers(db as unknown as Trx, services, now);
  },
});

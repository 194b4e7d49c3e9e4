import type { Trx } from '../../platform/database/index.ts';
import type { Service } from '../model/service.ts';
import { filterRow } from './filter-row.ts';
import { deleteFilterRows, saveFilterRows, saveOffers } from './store.ts';

/** Rebuilds the rows that services are filtered by, from their stored documents. */
export async function rebuildFilterRows(
  trx: Trx,
  services: readonly { id: string; document: string }[],
  now: Date,
): Promise<void> {
  if (services.length === 0) return;
  await deleteFilterRows(
    trx,
    services.map(({ id }) => id),
  );
  await saveFilterRows(
    trx,
    services.map(({ document }) => filterRow(JSON.parse(document) as Service, now)),
  );
}

/** Rebuilds the stored offers of services, from their documents. */
export async function rebuildOffers(
  trx: Trx,
  services: readonly { document: string }[],
  now: Date,
): Promise<void> {
  await saveOffers(
    trx,
    services.map(({ document }) => filterRow(JSON.parse(document) as Service, now)),
  );
}

import type { Trx } from '../../platform/database/index.ts';
import type { Service } from '../model/service.ts';
import { filterRow } from './filter-row.ts';
import {
  deleteFilterRows,
  listWithoutOffers,
  saveFilterRows,
  saveOffers,
  transactionTime,
} from './filter-rows-store.ts';

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
  const rows = services.map(({ document }) => filterRow(JSON.parse(document) as Service, now));
  await saveFilterRows(trx, rows);
  await saveOffers(trx, rows);
}

const batchSize = 500;

/** Builds the rows of services that a version without such rows stored: those without a row of what they offer. */
export async function buildMissingFilterRows(trx: Trx): Promise<void> {
  const now = await transactionTime(trx);
  for (let after = ''; ; ) {
    const services = await listWithoutOffers(trx, after, batchSize);
    await rebuildFilterRows(trx, services, now);
    if (services.length < batchSize) return;
    after = services.at(-1)!.id;
  }
}

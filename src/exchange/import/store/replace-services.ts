import {
  type Author,
  comparableService,
  recordChanges,
  type Service,
  type ServiceRow,
  saveServices,
  serviceRow,
  updateOf,
} from '../../../library/index.ts';
import type { Trx } from '../../../platform/database/index.ts';

/**
 * Saves other versions of existing services, each with its history.
 * @param editedAt when somebody here last edited these versions, by id: imports leave them as they are
 * @returns the rows that were saved
 */
export async function replaceServices(
  trx: Trx,
  author: Author,
  services: readonly { before: Service; after: Service }[],
  editedAt: ReadonlyMap<string, Date> = new Map(),
): Promise<ServiceRow[]> {
  const changes = services.map(({ before, after: service }) => {
    const after = { ...service, last_modified: author.at.toISOString() };
    return {
      row: serviceRow(comparableService(after, author.at, author.at)),
      change: updateOf('service', after.id, before, after),
    };
  });
  const rows = changes.map(({ row }) => row);
  await saveServices(trx, rows, author.at, { editedAt });
  await recordChanges(
    trx,
    author,
    changes.map(({ change }) => change),
  );
  return rows;
}

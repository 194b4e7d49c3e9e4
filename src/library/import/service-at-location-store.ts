import { type Columns, copyRows, type Trx } from '../../platform/database/index.ts';
import type { ServiceRow } from './service-row.ts';

/** Which services of a batch are at which locations. One without an id has no address, and is found in its service alone. */
export async function saveServiceAtLocations(trx: Trx, rows: readonly ServiceRow[]): Promise<void> {
  const places = rows.flatMap(({ id: serviceId, atLocations }) =>
    atLocations.flatMap((id, index) => (id === undefined ? [] : { serviceId, number: index + 1, id })),
  );
  const columns = {
    service_id: ({ serviceId }, into) => into.text(serviceId),
    number: ({ number }, into) => into.int4(number),
    id: ({ id }, into) => into.text(id),
  } satisfies Columns<(typeof places)[number]>;
  await copyRows(trx, 'service_at_locations', columns, places);
}

import { sql } from 'kysely';
import { binaryTexts, type Trx } from '../../platform/database/index.ts';
import type { ServiceRow } from './service-row.ts';

/** The services of a batch at their locations, after the services themselves. */
export async function saveServiceAtLocations(trx: Trx, rows: readonly ServiceRow[]): Promise<void> {
  const places = rows.flatMap(({ id, atLocations }) =>
    atLocations.map((each) => ({ ...each, serviceId: id })),
  );
  if (places.length === 0) return;
  await sql`
    /* prepared as save-service-at-locations */ insert into service_at_locations (service_id, number, id, sort_name, listed, document, summary)
    select s.id, given.number, given.id, s.sort_name, s.status = 'active', given.document, given.summary
    from unnest(${binaryTexts(places.map(({ serviceId }) => serviceId))}::text[],
      ${places.map(({ number }) => number)}::integer[], ${binaryTexts(places.map(({ id }) => id))}::text[],
      ${binaryTexts(places.map(({ document }) => document))}::text[],
      ${binaryTexts(places.map(({ summary }) => summary))}::text[])
      as given(service_id, number, id, document, summary)
    join services s on s.id = given.service_id`.execute(trx);
}

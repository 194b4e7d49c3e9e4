import { sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';
import type { ServiceRow } from './service-row.ts';

/** The services of a batch at their locations, after the services themselves. */
export async function saveServiceAtLocations(trx: Trx, rows: readonly ServiceRow[]): Promise<void> {
  const records = rows.flatMap(({ id, atLocations }) => {
    const serviceId = JSON.stringify(id);
    return atLocations.map(
      (each) =>
        `{"service_id":${serviceId},"number":${each.number},"id":${JSON.stringify(each.id)},"document":${each.document},"summary":${each.summary}}`,
    );
  });
  await sql`
    insert into service_at_locations (service_id, number, id, sort_name, listed, document, summary)
    select s.id, given.number, given.id, s.sort_name, s.status = 'active', given.document::text, given.summary::text
    from json_to_recordset(${`[${records.join(',')}]`}::json)
      as given(service_id text, number integer, id text, document json, summary json)
    join services s on s.id = given.service_id`.execute(trx);
}

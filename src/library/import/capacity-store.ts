import { sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';
import type { ServiceRow } from './service-row.ts';

/** What the source says of the room that its services have, where nobody has said something later. */
export async function saveCapacities(trx: Trx, rows: readonly ServiceRow[]): Promise<void> {
  const said = rows.flatMap(({ id, capacity }) => (capacity ? { id, ...capacity } : []));
  if (said.length === 0) return;
  await sql`
    insert into service_capacity as c (service_id, status, waiting_time, said_at)
    select * from unnest(${said.map(({ id }) => id)}::text[], ${said.map(({ status }) => status)}::text[],
      ${said.map(({ waitingTime }) => waitingTime)}::text[], ${said.map(({ saidAt }) => saidAt)}::timestamptz[])
    on conflict (service_id) do update set status = excluded.status, waiting_time = excluded.waiting_time,
      said_at = excluded.said_at, said_by = null
    where c.said_at < excluded.said_at`.execute(trx);
}

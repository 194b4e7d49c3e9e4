import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { SaidService } from './service-row.ts';

type Said = Pick<SaidService, 'id' | 'capacity'>;
/** The room of a service as it is here; no status where nobody has said it yet. */
export type KnownRoom = { id: string; status: string | null; waiting_time: string | null };

/** Of the services that the library has, those of whose room their source says something later than is known here. */
export async function findOlderRoom(db: Db, services: readonly Said[]): Promise<KnownRoom[]> {
  const said = services.flatMap(({ id, capacity }) => (capacity ? { id, ...capacity } : []));
  if (said.length === 0) return [];
  const { rows } = await sql<KnownRoom>`
    select s.id, c.status, c.waiting_time
    from unnest(${said.map(({ id }) => id)}::text[], ${said.map(({ saidAt }) => saidAt)}::timestamptz[]) as said(id, at)
    join services s on s.id = said.id left join service_capacity c on c.service_id = s.id
    where c.said_at is null or c.said_at < said.at`.execute(db);
  return rows;
}

/** What the source says of the room that its services have, where nobody has said something later. */
export async function saveCapacities(trx: Trx, services: readonly Said[], at: Date): Promise<void> {
  const said = services.flatMap(({ id, capacity }) => (capacity ? { id, ...capacity } : []));
  if (said.length === 0) return;
  await sql`
    with said as (
      insert into service_capacity as c (service_id, status, waiting_time, said_at)
      select * from unnest(${said.map(({ id }) => id)}::text[], ${said.map(({ status }) => status)}::text[],
        ${said.map(({ waitingTime }) => waitingTime)}::text[], ${said.map(({ saidAt }) => saidAt)}::timestamptz[])
      on conflict (service_id) do update set status = excluded.status, waiting_time = excluded.waiting_time,
        said_at = excluded.said_at, said_by = null
      where c.said_at < excluded.said_at
      returning service_id)
    update services set updated_at = ${at} from said where id = said.service_id and updated_at <> ${at}`.execute(
    trx,
  );
}

import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { ComparableService } from './service-row.ts';

type Reported = Pick<ComparableService, 'id' | 'capacity'>;
/** The room of a service as it is here; no status where nobody has said it yet. */
export type KnownAvailability = { id: string; status: string | null; waiting_time: string | null };

/** Of the services that the library has, those of whose room their source says something later than is known here. */
export async function findOutdatedAvailability(
  db: Db,
  services: readonly Reported[],
): Promise<KnownAvailability[]> {
  const said = services.flatMap(({ id, capacity }) => (capacity ? { id, ...capacity } : []));
  if (said.length === 0) return [];
  const { rows } = await sql<KnownAvailability>`
    select s.id, c.status, c.waiting_time
    from unnest(${said.map(({ id }) => id)}::text[], ${said.map(({ saidAt }) => saidAt)}::timestamptz[]) as said(id, at)
    join services s on s.id = said.id left join service_capacity c on c.service_id = s.id
    where c.set_at is null or c.set_at < said.at`.execute(db);
  return rows;
}

/** What the source says of the room that its services have, where nobody has said something later. */
export async function saveReportedAvailability(
  trx: Trx,
  services: readonly Reported[],
  at: Date,
): Promise<void> {
  const said = services.flatMap(({ id, capacity }) => (capacity ? { id, ...capacity } : []));
  if (said.length === 0) return;
  await sql`
    with said as (
      insert into service_capacity as c (service_id, status, waiting_time, set_at)
      select * from unnest(${said.map(({ id }) => id)}::text[], ${said.map(({ status }) => status)}::text[],
        ${said.map(({ waitingTime }) => waitingTime)}::text[], ${said.map(({ saidAt }) => saidAt)}::timestamptz[])
      on conflict (service_id) do update set status = excluded.status, waiting_time = excluded.waiting_time,
        set_at = excluded.set_at, set_by = null
      where c.set_at < excluded.set_at
      returning service_id)
    update services set updated_at = ${at} from said where id = said.service_id and updated_at <> ${at}`.execute(
    trx,
  );
}

export type StoredAvailability = { status: string; waiting_time: string | null };

export async function findAvailability(db: Db, serviceId: string): Promise<StoredAvailability | undefined> {
  const { rows } = await sql<StoredAvailability>`
    select status, waiting_time from service_capacity where service_id = ${serviceId}`.execute(db);
  return rows[0];
}

/** What the history calls the room of a service. */
export function availabilityInHistory(capacity: StoredAvailability | undefined): object {
  return { capacity: capacity?.status, waiting_time: capacity?.waiting_time ?? undefined };
}

/** Notes what somebody says now of the room that a service has, and that the service's answer has changed. */
export async function saveAvailability(
  trx: Trx,
  serviceId: string,
  said: StoredAvailability & { at: Date; by: string },
): Promise<void> {
  await sql`
    with said as (
      insert into service_capacity (service_id, status, waiting_time, set_at, set_by)
      values (${serviceId}, ${said.status}, ${said.waiting_time}, ${said.at}, ${said.by})
      on conflict (service_id) do update set status = excluded.status, waiting_time = excluded.waiting_time,
        set_at = excluded.set_at, set_by = excluded.set_by)
    update services set updated_at = ${said.at} where id = ${serviceId}`.execute(trx);
}

import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { ComparableService } from './service-row.ts';

type ReportedService = Pick<ComparableService, 'id' | 'availability'>;

/** A service's availability on this site; no status if it was never set. */
export type KnownAvailability = { id: string; status: string | null; waiting_time: string | null };

/** The services whose source has reported a newer availability than this site has. */
export async function findOutdatedAvailability(
  db: Db,
  services: readonly ReportedService[],
): Promise<KnownAvailability[]> {
  const reported = reportedOf(services);
  if (reported.length === 0) return [];
  const { rows } = await sql<KnownAvailability>`
    select s.id, c.status, c.waiting_time
    from unnest(${reported.map(({ id }) => id)}::text[], ${reported.map(({ setAt }) => setAt)}::timestamptz[])
      as reported(id, at)
    join services s on s.id = reported.id left join service_capacity c on c.service_id = s.id
    where c.set_at is null or c.set_at < reported.at`.execute(db);
  return rows;
}

/** Saves what the source reports, unless a newer availability was set here. */
export async function saveReportedAvailability(
  trx: Trx,
  services: readonly ReportedService[],
  at: Date,
): Promise<void> {
  const reported = reportedOf(services);
  if (reported.length === 0) return;
  await sql`
    with saved as (
      insert into service_capacity as c (service_id, status, waiting_time, set_at, set_here)
      select *, false from unnest(${reported.map(({ id }) => id)}::text[], ${reported.map(({ status }) => status)}::text[],
        ${reported.map(({ waitingTime }) => waitingTime)}::text[],
        ${reported.map(({ setAt }) => setAt)}::timestamptz[])
      on conflict (service_id) do update set status = excluded.status, waiting_time = excluded.waiting_time,
        set_at = excluded.set_at, set_here = false
      where c.set_at < excluded.set_at
      returning service_id)
    update services set updated_at = ${at} from saved where id = saved.service_id and updated_at <> ${at}`.execute(
    trx,
  );
}

function reportedOf(services: readonly ReportedService[]) {
  return services.flatMap(({ id, availability }) => (availability ? { id, ...availability } : []));
}

export type StoredAvailability = { status: string; waiting_time: string | null };

export function findAvailability(db: Db, serviceId: string): Promise<StoredAvailability | undefined> {
  return db
    .selectFrom('service_capacity')
    .select(['status', 'waiting_time'])
    .where('service_id', '=', serviceId)
    .executeTakeFirst();
}

/** Gives the availability today's date; who set it stays. @returns its status; undefined if nobody ever set it. */
export async function renewAvailability(trx: Trx, serviceId: string, at: Date): Promise<string | undefined> {
  const renewed = await trx
    .updateTable('service_capacity')
    .set({ set_at: at })
    .where('service_id', '=', serviceId)
    .returning('status')
    .executeTakeFirst();
  if (renewed)
    await trx.updateTable('services').set({ updated_at: at }).where('id', '=', serviceId).execute();
  return renewed?.status;
}

/** The availability under the field names of the history. */
export function availabilityInHistory(availability: StoredAvailability | undefined): object {
  return { capacity: availability?.status, waiting_time: availability?.waiting_time ?? undefined };
}

/** Saves the availability that somebody sets now, and marks the service as changed. */
export async function saveAvailability(
  trx: Trx,
  serviceId: string,
  { status, waiting_time, at }: StoredAvailability & { at: Date },
): Promise<void> {
  const saved = { status, waiting_time, set_at: at, set_here: true };
  await trx
    .insertInto('service_capacity')
    .values({ service_id: serviceId, ...saved })
    .onConflict((conflict) => conflict.column('service_id').doUpdateSet(saved))
    .execute();
  await trx.updateTable('services').set({ updated_at: at }).where('id', '=', serviceId).execute();
}

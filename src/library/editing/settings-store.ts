import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

export type Capacity = { status: string; waiting_time: string | null };

export async function findCapacity(db: Db, serviceId: string): Promise<Capacity | undefined> {
  const { rows } = await sql<Capacity>`
    select status, waiting_time from service_capacity where service_id = ${serviceId}`.execute(db);
  return rows[0];
}

/** What the history calls the room of a service. */
export function capacityInHistory(capacity: Capacity | undefined): object {
  return { capacity: capacity?.status, waiting_time: capacity?.waiting_time ?? undefined };
}

/** Notes what somebody says now of the room that a service has, and that the service's answer has changed. */
export async function saveCapacity(
  trx: Trx,
  serviceId: string,
  said: Capacity & { at: Date; by: string },
): Promise<void> {
  await sql`
    with said as (
      insert into service_capacity (service_id, status, waiting_time, said_at, said_by)
      values (${serviceId}, ${said.status}, ${said.waiting_time}, ${said.at}, ${said.by})
      on conflict (service_id) do update set status = excluded.status, waiting_time = excluded.waiting_time,
        said_at = excluded.said_at, said_by = excluded.said_by)
    update services set updated_at = ${said.at} where id = ${serviceId}`.execute(trx);
}

export type ReferralSettings = {
  accepts: boolean;
  channels: string[];
  answered_by: string | null;
  answer_email: string | null;
  answer_telephone: string | null;
  updated_at: Date | null;
};

/** What holds for the service, set or not. */
export async function findReferralSettings(db: Db, serviceId: string): Promise<ReferralSettings> {
  const { rows } = await sql<ReferralSettings>`
    select coalesce(accepts, true) as accepts, coalesce(channels, '{inbox}') as channels, answered_by, answer_email,
      answer_telephone, r.updated_at
    from services s left join service_referral_settings r on r.service_id = s.id where s.id = ${serviceId}`.execute(
    db,
  );
  return rows[0]!;
}

export async function saveReferralSettings(
  trx: Trx,
  serviceId: string,
  settings: Omit<ReferralSettings, 'updated_at'>,
  at: Date,
): Promise<void> {
  const { accepts, channels, answered_by, answer_email, answer_telephone } = settings;
  await sql`
    insert into service_referral_settings
      (service_id, accepts, channels, answered_by, answer_email, answer_telephone, updated_at)
    values (${serviceId}, ${accepts}, ${channels}, ${answered_by}, ${answer_email}, ${answer_telephone}, ${at})
    on conflict (service_id) do update set accepts = excluded.accepts, channels = excluded.channels,
      answered_by = excluded.answered_by, answer_email = excluded.answer_email,
      answer_telephone = excluded.answer_telephone, updated_at = excluded.updated_at`.execute(trx);
}

/** That something beside the settings changed which belongs to them: whoever keeps them in memory reads them again. */
export async function noteSettingsChanged(trx: Trx, serviceId: string, at: Date): Promise<void> {
  await sql`
    update service_referral_settings set updated_at = ${at} where service_id = ${serviceId}`.execute(trx);
}

import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

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
export async function markSettingsChanged(trx: Trx, serviceId: string, at: Date): Promise<void> {
  await sql`
    update service_referral_settings set updated_at = ${at} where service_id = ${serviceId}`.execute(trx);
}

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

type Settings = Pick<ServiceForReferral, 'id' | 'accepts' | 'channels'>;

/** How referrals reach those of the services for which somebody has said so. */
export async function listReferralSettings(db: Db, ids: readonly string[]): Promise<Map<string, Settings>> {
  const { rows } = await sql<Settings>`
    select service_id as id, accepts, channels from service_referral_settings
    where service_id = any(${[...ids]})`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** What a referral must know of the service it goes to. */
export type ServiceForReferral = {
  id: string;
  name: string;
  status: string;
  /** None where the library's source does not say who runs the service. */
  organization: { id: string; name: string } | undefined;
  accepts: boolean;
  /** How referrals reach it, in the order in which they are tried. */
  channels: string[];
};

/** The service with this id, whatever its status: whether it may be referred to is the referral's to judge. */
export async function findServiceForReferral(db: Db, id: string): Promise<ServiceForReferral | undefined> {
  return (await findServicesForReferral(db, [id])).get(id);
}

/** The same for several, by their ids. */
export async function findServicesForReferral(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, ServiceForReferral>> {
  const { rows } = await sql<
    Omit<ServiceForReferral, 'organization'> & {
      organizationId: string | null;
      organizationName: string | null;
    }
  >`
    select s.id, s.name, s.status, o.id as "organizationId", o.name as "organizationName",
      coalesce(r.accepts, true) as accepts, coalesce(r.channels, '{inbox}') as channels
    from services s
    left join organizations o on o.id = s.organization_id
    left join service_referral_settings r on r.service_id = s.id
    where s.id = any(${ids.filter((id) => !id.includes('\0'))}::text[])`.execute(db);
  return new Map(
    rows.map(({ organizationId, organizationName, ...service }) => {
      const organization =
        organizationId === null
          ? undefined
          : { id: organizationId, name: organizationName ?? organizationId };
      return [service.id, { ...service, organization }];
    }),
  );
}

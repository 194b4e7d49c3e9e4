import { sql } from 'kysely';
import { anyOfValuesSql, type Db, type Trx } from '../../platform/database/index.ts';

export type ReferralSettings = {
  accepts: boolean;
  channels: string[];
  answered_by: string | null;
  answer_email: string | null;
  answer_telephone: string | null;
  /** Somebody may be hurt for using it, or ashamed that others know. */
  sensitive: boolean;
  /** Its location is confidential. */
  location_confidential: boolean;
  /** For how long its referrals are kept: as long as this kind of record, or for `retention_years`. */
  record_kind: 'general' | 'mental_health';
  retention_years: number | null;
  /** Its emails have a link by which referrals are answered without an account. */
  answer_by_link: boolean;
  /** People may refer themselves to it, where the site lets them. Never to a sensitive service. */
  self_referral: boolean;
  updated_at: Date | null;
};

/** For how many years a record is kept after its last entry: NHS England's Records Management Code of Practice, appendix II. */
export const yearsKept: Readonly<Record<ReferralSettings['record_kind'], number>> = {
  general: 8,
  mental_health: 20,
};

/** Services accept referrals in their worklist on this site unless their settings say otherwise. */
const accepts = sql<boolean>`coalesce(r.accepts, true)`.as('accepts');
const channels = sql<string[]>`coalesce(r.channels, '{inbox}')`.as('channels');

const sensitive = sql<boolean>`coalesce(r.sensitive, false)`.as('sensitive');
const locationConfidential = sql<boolean>`coalesce(r.location_confidential, false)`.as(
  'location_confidential',
);

const answersByLinkSql = sql<boolean>`coalesce(r.answer_by_link, true)`;
const answerByLink = answersByLinkSql.as('answer_by_link');

const allowsSelfReferralSql = sql<boolean>`(coalesce(r.self_referral, false) and not coalesce(r.sensitive, false))`;
const selfReferral = allowsSelfReferralSql.as('self_referral');

const recordKind = sql<ReferralSettings['record_kind']>`coalesce(r.record_kind, 'general')`.as('record_kind');

const hasOutlinedArea = sql<boolean>`
  exists (select from service_area_extents a where a.service_id = s.id)`.as('hasOutlinedArea');

/** The settings that apply to a service, whether or not somebody has set them. */
export function findReferralSettings(db: Db, serviceId: string): Promise<ReferralSettings> {
  return db
    .selectFrom('services as s')
    .leftJoin('service_referral_settings as r', 'r.service_id', 's.id')
    .select([accepts, channels, 'answered_by', 'answer_email', 'answer_telephone', 'r.updated_at'])
    .select([sensitive, locationConfidential, recordKind, 'r.retention_years', answerByLink, selfReferral])
    .where('s.id', '=', serviceId)
    .executeTakeFirstOrThrow();
}

export async function saveReferralSettings(
  trx: Trx,
  serviceId: string,
  settings: Omit<ReferralSettings, 'updated_at'>,
  at: Date,
): Promise<void> {
  // Saving the form confirms or corrects the mark that the words of the service suggested.
  const saved = { ...settings, marked_by_words: false, updated_at: at };
  await trx
    .insertInto('service_referral_settings')
    .values({ service_id: serviceId, ...saved })
    .onConflict((conflict) => conflict.column('service_id').doUpdateSet(saved))
    .execute();
}

/**
 * Processes keep the settings in memory. This touches the row, and a trigger tells them that something that belongs to it has changed. It does
 * nothing for a service without a row.
 */
export async function markSettingsChanged(trx: Trx, serviceId: string, at: Date): Promise<void> {
  await trx
    .updateTable('service_referral_settings')
    .set({ updated_at: at })
    .where('service_id', '=', serviceId)
    .execute();
}

/** Sets the email address of the people who answer a service's referrals. */
export async function setAnswerEmail(trx: Trx, serviceId: string, email: string): Promise<void> {
  await trx
    .updateTable('service_referral_settings')
    .set({ answer_email: email })
    .where('service_id', '=', serviceId)
    .execute();
}

type ChannelSettings = Pick<ServiceForReferral, 'id' | 'accepts' | 'channels'>;

/** The channels of the services whose settings somebody has set. */
export async function listChannelSettings(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, ChannelSettings>> {
  const rows = await db
    .selectFrom('service_referral_settings')
    .select(['service_id as id', 'accepts', 'channels'])
    .where('service_id', '=', anyOfValuesSql(ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The people for whom a service says it is: their ages and their area. */
export type Eligibility = {
  /** Ages in years, which may be fractions. A person of the maximum age still fits. */
  minimumAge: number | null;
  maximumAge: number | null;
  /** Whether an outline shows the area of the service. Words about the area do not count. */
  hasOutlinedArea: boolean;
};

/** A service with the details that a referral needs. */
export type ServiceForReferral = Eligibility & {
  id: string;
  name: string;
  status: string;
  /** Undefined if the service's source does not say who runs it. */
  organization: { id: string; name: string } | undefined;
  accepts: boolean;
  /** In the order in which they are tried. */
  channels: string[];
  /** Somebody may be hurt for using it, or ashamed that others know. */
  sensitive: boolean;
  /** When the service was marked as sensitive; null if it is not, or was from the beginning. */
  sensitiveSince: Date | null;
  /** Its emails have a link by which referrals are answered without an account. */
  answerByLink: boolean;
  /** People may refer themselves to it, where the site lets them. */
  selfReferral: boolean;
};

/** The ids of the services that are marked as sensitive. */
export async function listSensitiveServices(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('service_referral_settings')
    .select('service_id as id')
    .where('sensitive', '=', true)
    .execute();
  return rows.map(({ id }) => id);
}

/** The services that are sensitive, or whose location is confidential. */
export async function listConfidentialServices(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select service_id as id from service_referral_settings where sensitive or location_confidential`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** The active services of an organisation, by name. */
export function listServicesOfOrganization(
  db: Db,
  organizationId: string,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('services')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'active')
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The service with any status: the caller decides which services take referrals. */
export async function findServiceForReferral(db: Db, id: string): Promise<ServiceForReferral | undefined> {
  return (await findServicesForReferral(db, [id])).get(id);
}

export async function findServicesForReferral(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, ServiceForReferral>> {
  const rows = await db
    .selectFrom('services as s')
    .leftJoin('organizations as o', 'o.id', 's.organization_id')
    .leftJoin('service_referral_settings as r', 'r.service_id', 's.id')
    .select(['s.id', 's.name', 's.status', 'o.id as organizationId', 'o.name as organizationName'])
    .select(['s.minimum_age as minimumAge', 's.maximum_age as maximumAge'])
    .select([accepts, channels, sensitive, hasOutlinedArea])
    .select(sql<Date | null>`case when r.sensitive then r.sensitive_since end`.as('sensitiveSince'))
    .select([answersByLinkSql.as('answerByLink'), allowsSelfReferralSql.as('selfReferral')])
    .where('s.id', '=', anyOfValuesSql(ids.filter((id) => !id.includes('\0'))))
    .execute();
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

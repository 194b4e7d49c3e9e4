import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

// A service may stop being sensitive. People who were referred before were told that it is, so their referrals stay as hidden as they were.
// The same holds for a confidential location. All forms of this rule are in this file alone, as `test/rules/source-text.test.ts` checks.

/** In SQL, for a row of `referrals` and the `service_referral_settings` of its service. False, not null, where it has none. */
export function isSensitiveReferralSql(
  referral: RawBuilder<unknown>,
  settings: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`coalesce(${settings}.sensitive or ${referral}.created_at <= ${settings}.sensitive_until, false)`;
}

/** The same, also for a referral to a service whose place is confidential. */
export function isConfidentialReferralSql(
  referral: RawBuilder<unknown>,
  settings: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`(${isSensitiveReferralSql(referral, settings)} or coalesce(${settings}.location_confidential
    or ${referral}.created_at <= ${settings}.location_confidential_until, false))`;
}

/** In SQL, whether a referral was sent before its service was marked as sensitive: the person was not told that it is. */
export function wasSentBeforeSensitiveSql(
  sentAt: RawBuilder<unknown>,
  settings: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`(${settings}.sensitive and ${sentAt} < ${settings}.sensitive_since
    and (${settings}.sensitive_until is null or ${sentAt} > ${settings}.sensitive_until))`;
}

/** In SQL, the ids of the services that are sensitive or were once. They are few, so a query of many referrals reads them first. */
export const everSensitiveServiceIdsSql = sql`
  select s.service_id from service_referral_settings s where s.sensitive or s.sensitive_until is not null`;

/** In SQL, whether a service is sensitive now or was once, by its id. */
export function wasEverSensitiveSql(serviceId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from service_referral_settings s
    where s.service_id = ${serviceId} and (s.sensitive or s.sensitive_until is not null))`;
}

/**
 * Whether the name of an organisation says as much as that of a sensitive service: at least half of its services are sensitive or were so.
 * It is found by the account's organisation, by the library's, or by a name that somebody typed.
 */
export async function isSensitiveOrganization(
  db: Db,
  {
    organisationId,
    organizationId,
    name,
  }: {
    organisationId?: string | null | undefined;
    organizationId?: string | null | undefined;
    name?: string | null | undefined;
  },
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with sensitive as materialized (
      select distinct s.organization_id as id from service_referral_settings t join services s on s.id = t.service_id
      where (t.sensitive or t.sensitive_until is not null) and s.organization_id is not null)
    select exists (
      select from sensitive join organizations o on o.id = sensitive.id
      where (o.id = ${organizationId ?? null} or lower(o.name) = lower(${name ?? null}::text) or exists (
          select from organisations a where a.id = ${organisationId ?? null}::uuid
            and (a.library_organization_id = o.id or lower(a.name) = lower(o.name))))
        and (select 2 * count(*) filter (where t.sensitive or t.sensitive_until is not null) >= count(*)
          from services s left join service_referral_settings t on t.service_id = s.id
          where s.organization_id = o.id and s.status <> 'defunct')) as found`.execute(db);
  return rows[0]!.found;
}

type ReferralToService = { service_id: string | null; created_at: Date };

/** Which referrals are to be treated as those of a sensitive service, or of one whose place is confidential. */
export type ReferralMarks = {
  isSensitive(referral: ReferralToService): boolean;
  /** Whether the service is sensitive, or its place confidential. */
  isSensitiveOrConfidential(referral: ReferralToService): boolean;
  hasConfidentialPlace(referral: ReferralToService): boolean;
};

export async function findReferralMarks(db: Db): Promise<ReferralMarks> {
  const { rows } = await sql<{
    id: string;
    sensitive: boolean;
    confidential: boolean;
    until: Date | null;
    confidentialUntil: Date | null;
  }>`
    select service_id as id, sensitive, location_confidential as confidential, sensitive_until as until,
      location_confidential_until as "confidentialUntil"
    from service_referral_settings
    where sensitive or location_confidential or sensitive_until is not null
      or location_confidential_until is not null`.execute(db);
  const marks = new Map(rows.map((row) => [row.id, row]));
  const isSensitive = ({ service_id, created_at }: ReferralToService) => {
    const mark = marks.get(service_id ?? '');
    return mark !== undefined && (mark.sensitive || isBefore(created_at, mark.until));
  };
  const hasConfidentialPlace = ({ service_id, created_at }: ReferralToService) => {
    const mark = marks.get(service_id ?? '');
    return mark !== undefined && (mark.confidential || isBefore(created_at, mark.confidentialUntil));
  };
  return {
    isSensitive,
    hasConfidentialPlace,
    isSensitiveOrConfidential: (referral) => isSensitive(referral) || hasConfidentialPlace(referral),
  };
}

function isBefore(createdAt: Date, until: Date | null): boolean {
  return until !== null && createdAt <= until;
}

export type SensitiveName = {
  id: string;
  name: string;
  /** When the service stopped being sensitive; null while it is. */
  until: Date | null;
};

/** The services that are or were sensitive, with their present names. */
export async function listSensitiveServiceNames(db: Db): Promise<SensitiveName[]> {
  const { rows } = await sql<SensitiveName>`
    select s.id, s.name, case when not r.sensitive then r.sensitive_until end as until
    from services s join service_referral_settings r on r.service_id = s.id
    where r.sensitive or r.sensitive_until is not null`.execute(db);
  return rows;
}

/** The names that a referral made at this time must hide. */
export function sensitiveNamesFor(
  names: readonly SensitiveName[],
  { created_at }: Pick<ReferralToService, 'created_at'>,
): SensitiveName[] {
  return names.filter(({ until }) => until === null || isBefore(created_at, until));
}

/** Records until when the service was sensitive. */
export async function saveSensitiveUntil(trx: Trx, serviceId: string, at: Date): Promise<void> {
  await trx
    .updateTable('service_referral_settings')
    .set({ sensitive_until: at })
    .where('service_id', '=', serviceId)
    .execute();
}

/** Records that the location of the service is confidential no longer, and was until now. */
export async function saveConfidentialUntil(trx: Trx, serviceId: string, at: Date): Promise<void> {
  await trx
    .updateTable('service_referral_settings')
    .set({ location_confidential_until: at })
    .where('service_id', '=', serviceId)
    .execute();
}

/** Records that the service is sensitive from now on. */
export async function saveSensitiveSince(trx: Trx, serviceId: string, at: Date): Promise<void> {
  await trx
    .updateTable('service_referral_settings')
    .set({ sensitive_since: at })
    .where('service_id', '=', serviceId)
    .execute();
}

/** The statuses in which the service still has something to do. They are listed here because the library may not import from `referrals/`. */
export const openReferralStatuses = ['requested', 'accepted', 'in-progress', 'on-hold'] as const;

/** How many people are referred to the service now. */
export async function countOpenReferrals(trx: Trx, serviceId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from referrals
    where service_id = ${serviceId} and status = any(${openReferralStatuses}::text[])`.execute(trx);
  return rows[0]!.count;
}

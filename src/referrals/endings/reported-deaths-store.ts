import { sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';
import type { PatientKeys } from '../model/person/identity/patient.ts';
import { keysInHex, referralsOfPersonSql } from '../model/person/identity/same-person-store.ts';

/** A report that the person of this referral has died. With its snake-case fields it is a `PatientIdentity`, to compare people. */
export type ReportedDeath = {
  reportId: string;
  reportedAt: Date;
  referralId: string;
  reference: string;
  isRestricted: boolean;
  referrerAccountId: string;
  referrerOrganisationId: string | null;
  serviceOrganizationId: string | null;
  requested_at: Date;
  family_name: string;
  birth_date: string;
};

/** What was told of these people and nobody has taken back, the newest first. */
export async function findReportedDeaths<T extends { keys: PatientKeys }>(
  trx: Trx,
  people: readonly T[],
): Promise<ReadonlyMap<T, ReportedDeath[]>> {
  if (people.length === 0) return new Map();
  const wanted = people.map(({ keys }, index) => ({ index, ...keysInHex(keys) }));
  const { rows } = await sql<ReportedDeath & { index: number }>`
    with wanted as materialized (
      select index, decode(name, 'hex') as name, decode(number, 'hex') as number
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w(index int, name text, number text))
    select w.index, d.report_id as "reportId", d.reported_at as "reportedAt", same.id as "referralId", same.reference,
      same.requested_at, same.restricted_at is not null as "isRestricted", same.referrer_account_id as "referrerAccountId",
      same.referrer_organisation_id as "referrerOrganisationId", same.service_organization_id as "serviceOrganizationId",
      same.content #>> '{patient,family_name}' as family_name, same.content #>> '{patient,birth_date}' as birth_date
    from wanted w
    cross join lateral ${referralsOfPersonSql(sql`w.name`, sql`w.number`)} as same
    join referral_deaths d on d.referral_id = same.id
    where d.undone_at is null and same.erased_at is null and same.status <> 'entered-in-error'
    order by d.id desc`.execute(trx);
  return Map.groupBy(rows, ({ index }) => people[index]!);
}

import { sql } from 'kysely';
import { type Db, holdLocks, type Trx } from '../../../../platform/database/index.ts';
import { openStatuses, type Referral } from '../../referral.ts';
import { type ReferralRow, referralColumnsSql, referralFromRow } from '../../referrals-store.ts';
import type { PatientKeys } from './patient.ts';
import { haveDifferentFirstNames, mayBeTwins } from './same-person.ts';
import { keysInHex, referralsOfPersonSql } from './same-person-store.ts';

/** Who refers together: an organisation, or an account without one. */
type Referrer = { organisationId: string | null; accountId: string };

/** A patient (by hashes) whom a referrer sends to a service. */
export type PatientAtService = Readonly<Pick<PatientKeys, 'name' | 'number'>> & {
  readonly serviceId: string;
  readonly referrer: Referrer;
};

/**
 * The names of the locks for a patient at a service. They contain the referrer, so that an organisation cannot tell from a delay
 * what another one does.
 */
export function duplicateLockNames({ serviceId, referrer, name, number }: PatientAtService): string[] {
  const keys = [name, number].filter((key) => key !== null);
  const referrerId = referrer.organisationId ?? referrer.accountId;
  return keys.map((key) => `${serviceId} ${referrerId} ${key.toString('hex')}`);
}

/** Makes other transactions wait that look for, or store, a referral of the same patient to the same service. */
export async function lockPatientsForServices(
  trx: Trx,
  patients: readonly PatientAtService[],
): Promise<void> {
  if (patients.length > 0) await holdLocks(trx, 'patientAtService', patients.flatMap(duplicateLockNames));
}

/**
 * The open referrals of each patient to the service by the same referrer: first those that the same account made,
 * then the oldest.
 */
export async function findOpenReferralsAtService(
  trx: Trx,
  patients: readonly PatientAtService[],
): Promise<ReadonlyMap<PatientAtService, Referral[]>> {
  if (patients.length === 0) return new Map();
  const wanted = patients.map(({ serviceId, referrer, ...keys }, index) => ({
    index,
    service_id: serviceId,
    organisation_id: referrer.organisationId,
    account_id: referrer.accountId,
    ...keysInHex(keys),
  }));
  const { rows } = await sql<ReferralRow & { index: number }>`
    with wanted as materialized (
      select index, service_id, organisation_id, account_id, decode(name, 'hex') as name, decode(number, 'hex') as number
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as w(index int, service_id text, organisation_id uuid, account_id uuid, name text, number text)),
    found as materialized (
      select w.index, existing.id from wanted w cross join lateral (
        select id from ${referralsOfPersonSql(sql`w.name`, sql`w.number`)} as same
        where service_id = w.service_id and status = any(${openStatuses}::text[])
          and referrer_organisation_id is not distinct from w.organisation_id
          and (w.organisation_id is not null or referrer_account_id = w.account_id)
        order by referrer_account_id is distinct from w.account_id, id limit 20) as existing)
    select index, ${referralColumnsSql} from found join referrals using (id)
    order by referrer_account_id is distinct from (select w.account_id from wanted w where w.index = found.index), id`.execute(
    trx,
  );
  const rowsByPatient = Map.groupBy(rows, ({ index }) => patients[index]!);
  const referralsOf = (rowsOfPatient: typeof rows) =>
    rowsOfPatient.map(({ index: _, ...row }) => referralFromRow(row) as Referral);
  return new Map([...rowsByPatient].map(([patient, rowsOfPatient]) => [patient, referralsOf(rowsOfPatient)]));
}

/** Another open referral to the same service. */
export type PossibleDuplicate = { id: string; reference: string };

/** Those that may be of the same person, and those that may be of a twin, whom staff must not mix up. */
export type AlikeReferrals = { duplicates: PossibleDuplicate[]; twins: PossibleDuplicate[] };

type AlikeRow = PossibleDuplicate & {
  referralId: string;
  /** By its names or its NHS number; otherwise by the last name and the birth date alone. */
  isSame: boolean;
  ownName: string;
  otherName: string;
};

/**
 * For staff of the service: other open referrals to it that may be of the same person or of a twin, by any referrer. Restricted ones
 * are left out, because nobody may use them.
 */
export async function findAlikeReferrals(
  db: Db,
  referralIds: readonly string[],
): Promise<Map<string, AlikeReferrals>> {
  const alike = new Map<string, AlikeReferrals>();
  if (referralIds.length === 0) return alike;
  const { rows } = await sql<AlikeRow>`
    select r.id as "referralId", other.id, other.reference, other.is_same as "isSame",
      r.content #>> '{patient,given_name}' as "ownName", other.content #>> '{patient,given_name}' as "otherName"
    from referrals r cross join lateral (
      select id, reference, content,
        patient_number_key = r.patient_number_key or (patient_name_key = r.patient_name_key
          and (patient_number_key is null or r.patient_number_key is null)) as is_same
      from (
        -- Each looked up by the patient alone, by its index. The last name with the birth date finds those of the same names, too.
        (select * from referrals where patient_number_key = r.patient_number_key offset 0)
        union all
        (select * from referrals where patient_family_key = r.patient_family_key
          and (patient_number_key = r.patient_number_key) is not true offset 0)) as alike
      where id <> r.id and service_id = r.service_id and status = any(${openStatuses}::text[])
        and restricted_at is null
      order by is_same desc nulls last, id limit 20) as other
    where r.id = any(${referralIds}::uuid[]) and r.status = any(${openStatuses}::text[]) and r.restricted_at is null
    order by other.id`.execute(db);
  for (const { referralId, isSame, ownName, otherName, ...other } of rows) {
    const known = alike.get(referralId) ?? { duplicates: [], twins: [] };
    alike.set(referralId, known);
    const [own, their] = [{ given_name: ownName }, { given_name: otherName }];
    if (isSame && !haveDifferentFirstNames(own, their)) known.duplicates.push(other);
    if (mayBeTwins(own, their)) known.twins.push(other);
  }
  return alike;
}

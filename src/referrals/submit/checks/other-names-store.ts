import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../../accounts/index.ts';
import { isSensitiveReferralSql } from '../../../library/index.ts';
import { holdLocks, type Trx } from '../../../platform/database/index.ts';
import type { PatientKeys } from '../../model/person/identity/patient.ts';
import { keysInHex } from '../../model/person/identity/same-person-store.ts';

/** A patient with an NHS number, by keyed hashes. */
type WithKeys = { keys: PatientKeys };

/** The name of the lock of an NHS number. */
export function nhsNumberLockName(number: Buffer): string {
  return `person ${number.toString('hex')}`;
}

/** Until the transaction ends, no other can compare the names of the same NHS numbers. */
export async function lockNumbers(trx: Trx, candidates: readonly WithKeys[]): Promise<void> {
  const names = candidates.map(({ keys }) => nhsNumberLockName(keys.number!));
  await holdLocks(trx, 'nhsNumber', names);
}

const mayBeKnownSql = sql`(
  referrer_organisation_id = w.organisation or referrer_organisation_id is null and referrer_account_id = w.account
  or not exists (select from service_referral_settings s where s.service_id = referrals.service_id
    and ${isSensitiveReferralSql(sql`referrals`, sql`s`)}))`;

/** Referrals with the number of `w` whose key of the last name and birth date is below, above or equal to that of `w`. */
function otherNamesSql(operator: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select patient_family_key, content from referrals
    where patient_number_key = decode(w.number, 'hex') and patient_family_key ${operator} decode(w.family, 'hex')
      and requested_at is not null and status <> 'entered-in-error' and ${mayBeKnownSql}`;
}

/** Far above any real number of names. */
const maxOtherNames = 100;

/** A name and birth date that somebody sent with the number of a candidate. */
export type OtherName = { givenName: string; familyName: string; birthDate: string };

/**
 * The other names and birth dates that were sent with the numbers of these candidates, and the first names that were sent with the same
 * last name and birth date. What only another organisation sent to a sensitive service is left out: the refusal would tell a stranger
 * that somebody uses one.
 */
export async function findOtherNames<
  T extends WithKeys & { caller: Pick<Caller, 'accountId' | 'organisation'> },
>(trx: Trx, candidates: readonly T[]): Promise<ReadonlyMap<T, OtherName[]>> {
  const wanted = candidates.map(({ keys, caller }, index) => ({
    index,
    account: caller.accountId,
    organisation: caller.organisation?.id ?? null,
    ...keysInHex(keys),
  }));
  const { rows } = await sql<OtherName & { index: number }>`
    select w.index, other.content #>> '{patient,given_name}' as "givenName",
      other.content #>> '{patient,family_name}' as "familyName",
      other.content #>> '{patient,birth_date}' as "birthDate"
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w(index int, number text, family text,
        account uuid, organisation uuid)
      cross join lateral (
        select distinct on (patient_family_key, content #>> '{patient,given_name}') content from (
          -- Keys below and above the own, so that the index (referrals_names_of_number) skips the many rows with the same key. Of
          -- those, some with other first names are enough.
          (${otherNamesSql(sql`<`)} order by patient_family_key limit ${maxOtherNames})
          union all
          (${otherNamesSql(sql`>`)} order by patient_family_key limit ${maxOtherNames})
          union all
          (${otherNamesSql(sql`=`)} limit ${maxOtherNames})) as found
        order by patient_family_key, content #>> '{patient,given_name}') as other`.execute(trx);
  return Map.groupBy(rows, ({ index }) => candidates[index]!);
}

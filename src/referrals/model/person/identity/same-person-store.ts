import { type RawBuilder, sql } from 'kysely';
import type { PatientKeys } from './patient.ts';

/** The keys of a person as text in a JSON parameter, which `decode(…, 'hex')` makes bytes again. */
export function keysInHex({
  name,
  number,
  family,
}: Partial<PatientKeys>): Record<keyof PatientKeys, string | undefined> {
  return { name: name?.toString('hex'), number: number?.toString('hex'), family: family?.toString('hex') };
}

/**
 * The rows of `referrals` that are of one person, by the SQL of their keys: those with the same NHS number, and those with the same name and birth
 * date if one of the two has no number, because two NHS numbers are two people. Each key is looked up by itself (hence `offset 0`), so
 * that PostgreSQL uses its index and does not read all referrals of a service. With `patient_family_key`, the last name stands for the name.
 */
export function referralsOfPersonSql(
  name: RawBuilder<unknown>,
  number: RawBuilder<unknown>,
  nameColumn: RawBuilder<unknown> = sql`patient_name_key`,
): RawBuilder<unknown> {
  return sql`(
    (select * from referrals where patient_number_key = ${number} offset 0)
    union all
    (select * from referrals where ${nameColumn} = ${name}
      and (patient_number_key is null or ${number} is null) offset 0))`;
}

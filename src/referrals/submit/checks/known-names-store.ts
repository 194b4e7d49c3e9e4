import { sql } from 'kysely';
import type { Trx } from '../../../platform/database/index.ts';
import type { PatientKeys } from '../../model/person/patient.ts';

/** A patient with an NHS number, by keyed hashes. */
type WithKeys = { keys: PatientKeys };

/** Makes other transactions wait that look at the names of the same NHS numbers. */
export async function lockNumbers(trx: Trx, candidates: readonly WithKeys[]): Promise<void> {
  // Sorted, so that two transactions never deadlock.
  const names = candidates.map(({ keys }) => `person ${keys.number!.toString('hex')}`).sort();
  await sql`
    select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) as name`.execute(
    trx,
  );
}

/** More than the stories that one made-up person may have. */
const maxOtherNames = 100;

/** The other last names and birth dates that were sent with the numbers of these candidates, by their index. */
export async function findOtherNames(
  trx: Trx,
  candidates: readonly WithKeys[],
): Promise<{ index: number; familyName: string; birthDate: string }[]> {
  const wanted = candidates.map(({ keys }, index) => ({
    index,
    number: keys.number!.toString('hex'),
    family: keys.family!.toString('hex'),
  }));
  const { rows } = await sql<{ index: number; familyName: string; birthDate: string }>`
    select w.index, other.content #>> '{patient,family_name}' as "familyName",
      other.content #>> '{patient,birth_date}' as "birthDate"
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w(index int, number text, family text)
      cross join lateral (
        select distinct on (patient_family_key) content from (
          -- Below and above the own key, so that the index (referrals_names_of_number) passes over it.
          (select patient_family_key, content from referrals
            where patient_number_key = decode(w.number, 'hex') and patient_family_key < decode(w.family, 'hex')
              and requested_at is not null and status <> 'entered-in-error'
            order by patient_family_key limit ${maxOtherNames})
          union all
          (select patient_family_key, content from referrals
            where patient_number_key = decode(w.number, 'hex') and patient_family_key > decode(w.family, 'hex')
              and requested_at is not null and status <> 'entered-in-error'
            order by patient_family_key limit ${maxOtherNames})) as found
        order by patient_family_key) as other`.execute(trx);
  return rows;
}

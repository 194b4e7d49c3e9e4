import { sql } from 'kysely';
import type { Trx } from '../platform/database/index.ts';
import type { PatientKeys } from './patient.ts';
import type { Referral, ReferralStatus } from './referral.ts';
import { columns, fromRow, type Row } from './store.ts';

/** A person by their keys, at a service. */
type PatientAtService = Pick<PatientKeys, 'name' | 'number'> & { serviceId: string };

/** Lets one at a time look for and make a referral of each person to their service. */
export async function lockPatientsForServices(
  trx: Trx,
  patients: readonly PatientAtService[],
): Promise<void> {
  const names = patients.flatMap(({ serviceId, name, number }) =>
    [name, number].filter((key) => key !== null).map((key) => `${serviceId} ${key.toString('hex')}`),
  );
  // In their order, so that two who wait for each other's are not in a ring.
  await sql`
    /* prepared as lock-patients */
    select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names.sort()}::text[]) as name`.execute(
    trx,
  );
}

export type OpenReferral = { referral: Referral; keys: PatientKeys };

/** The oldest of the open referrals of each of these people to their service. */
export async function findOpenReferrals(
  trx: Trx,
  patients: readonly PatientAtService[],
  open: readonly ReferralStatus[],
): Promise<OpenReferral[]> {
  const wanted = patients.map(({ serviceId, name, number }) => ({
    service_id: serviceId,
    name: name?.toString('hex'),
    number: number?.toString('hex'),
  }));
  const { rows } = await sql<Row & { nameKey: Buffer | null; numberKey: Buffer | null }>`
    /* prepared as find-open-referrals */
    with wanted as materialized (
      select service_id, decode(name, 'hex') as name, decode(number, 'hex') as number
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w(service_id text, name text, number text))
    select ${columns}, patient_name_key as "nameKey", patient_number_key as "numberKey" from referrals
    where id in (
      select found.id from wanted w cross join lateral (
        select id from (
          -- By who they are and by nothing else at first, so that whatever PostgreSQL believes of the table it does not
          -- look through all of a service's referrals, or through all that are open.
          (select id, service_id, status from referrals where patient_name_key = w.name offset 0)
          union
          (select id, service_id, status from referrals where patient_number_key = w.number offset 0)) as same
        where service_id = w.service_id and status = any(${open}::text[]) order by id limit 20) as found)
    order by id`.execute(trx);
  return rows.map(({ nameKey, numberKey, ...row }) => ({
    referral: fromRow(row) as Referral,
    keys: { name: nameKey, number: numberKey, family: null },
  }));
}

import { sql } from 'kysely';
import type { Trx } from '../platform/database/index.ts';
import type { PatientKeys } from './patient.ts';
import type { Referral, ReferralStatus } from './referral.ts';
import { columns, fromRow, type Row } from './store.ts';

/** Lets one at a time look for and make a referral of this person to this service. */
export async function lockPatientForService(trx: Trx, serviceId: string, keys: PatientKeys): Promise<void> {
  const names = [keys.name, keys.number]
    .filter((key) => key !== null)
    .map((key) => `${serviceId} ${key.toString('hex')}`);
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names.sort()}::text[]) as name`.execute(
    trx,
  );
}

/** Oldest first. */
export async function findOpenReferrals(
  trx: Trx,
  serviceId: string,
  keys: PatientKeys,
  open: readonly ReferralStatus[],
): Promise<Referral[]> {
  const { rows } = await sql<Row>`
    select ${columns} from referrals
    where service_id = ${serviceId} and status = any(${open})
      and (patient_name_key = ${keys.name} or patient_number_key = ${keys.number}) order by id limit 20`.execute(
    trx,
  );
  return rows.map((row) => fromRow(row) as Referral);
}

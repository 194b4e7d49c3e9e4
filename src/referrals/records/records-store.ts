import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { PatientKeys } from '../model/patient.ts';
import type { Draft, Referral } from '../model/referral.ts';
import { type ReferralRow, referralColumns, referralFromRow } from '../model/store.ts';

/**
 * All referrals and drafts of one person, restricted ones too, oldest first. They have the person’s NHS number, or
 * the name and birth date and no other NHS number.
 */
export async function findByPerson(db: Db, keys: PatientKeys): Promise<(Referral | Draft)[]> {
  const { rows } = await sql<ReferralRow>`
    select ${referralColumns} from referrals
    where patient_number_key = ${keys.number}
      or (patient_name_key = ${keys.name} and (${keys.number}::bytea is null or patient_number_key is null))
    order by id`.execute(db);
  return rows.map(referralFromRow);
}

type RestrictionEvent = { id: string; accountId: string; name: string; reason: string; at: Date };

export type Restriction = {
  id: string;
  at: Date;
  byName: string;
  reason: string;
  liftedAt: Date | null;
  liftedByName: string | null;
  liftedReason: string | null;
};

export async function insertRestriction(
  trx: Trx,
  referralId: string,
  { id, accountId, name, reason, at }: RestrictionEvent,
): Promise<void> {
  await sql`
    with restriction as (
      insert into referral_restrictions (id, referral_id, at, account_id, account_name, reason)
      values (${id}, ${referralId}, ${at}, ${accountId}, ${name}, ${reason}))
    update referrals set restricted_at = ${at} where id = ${referralId}`.execute(trx);
}

export async function liftRestriction(
  trx: Trx,
  referralId: string,
  { accountId, name, reason, at }: Omit<RestrictionEvent, 'id'>,
): Promise<void> {
  await sql`
    with lifted as (
      update referral_restrictions
      set lifted_at = ${at}, lifted_by = ${accountId}, lifted_by_name = ${name}, lifted_reason = ${reason}
      where referral_id = ${referralId} and lifted_at is null)
    update referrals set restricted_at = null where id = ${referralId}`.execute(trx);
}

/** Oldest first. */
export function listRestrictions(db: Db, referralId: string): Promise<Restriction[]> {
  return db
    .selectFrom('referral_restrictions')
    .select([
      'id',
      'at',
      'account_name as byName',
      'reason',
      'lifted_at as liftedAt',
      'lifted_by_name as liftedByName',
      'lifted_reason as liftedReason',
    ])
    .where('referral_id', '=', referralId)
    .orderBy('id')
    .execute();
}

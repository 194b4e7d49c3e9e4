import { sql } from 'kysely';
import { holdLocks, type Trx } from '../../../platform/database/index.ts';
import type { PatientAtService } from '../../model/person/identity/duplicates-store.ts';
import type { PatientKeys } from '../../model/person/identity/patient.ts';
import { keysInHex, referralsOfPersonSql } from '../../model/person/identity/same-person-store.ts';
import { openStatuses, type ReferralContent } from '../../model/referral.ts';

/** A referral in which a child who can decide said what the practice may be told. */
export type ChildDecision = Pick<ReferralContent, 'patient' | 'consent' | 'agreement'>;

/** A patient (by hashes) whom somebody refers. */
type ReferredChild = { keys: PatientKeys; referrer: PatientAtService['referrer'] };

/** The names of the locks for a child. They contain the referrer, as those of `duplicateLockNames` do, and for the same reason. */
export function childLockNames({ keys, referrer }: ReferredChild): string[] {
  const referrerId = referrer.organisationId ?? referrer.accountId;
  return [keys.family, keys.number].flatMap((key) =>
    key === null ? [] : [`child ${referrerId} ${key.toString('hex')}`],
  );
}

/** Until the transaction ends, no colleague can refer the same child, to any service, and miss what the child decides here. */
export async function lockChildren(trx: Trx, people: readonly ReferredChild[]): Promise<void> {
  if (people.length > 0) await holdLocks(trx, 'childDecision', people.flatMap(childLockNames));
}

/**
 * What children with the same NHS number, or with the same last name and birth date if one has no number, decided in their referrals by the
 * same referrer, the newest decision first. Some may be of a twin: the caller compares the first names. Drafts do not count, nor
 * referrals that were sent by mistake. Restricted ones do: they protect the child, and nobody learns anything new.
 */
export async function listChildDecisions<T extends ReferredChild>(
  trx: Trx,
  people: readonly T[],
  endedSince: Date,
): Promise<ReadonlyMap<T, ChildDecision[]>> {
  if (people.length === 0) return new Map();
  const wanted = people.map(({ keys, referrer }, index) => ({
    index,
    organisation_id: referrer.organisationId,
    account_id: referrer.accountId,
    ...keysInHex(keys),
  }));
  const { rows } = await sql<ChildDecision & { index: number }>`
    with wanted as materialized (
      select index, organisation_id, account_id, decode(family, 'hex') as family, decode(number, 'hex') as number
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as w(index int, organisation_id uuid, account_id uuid, family text, number text))
    select w.index, same.content -> 'patient' as patient, same.content -> 'consent' as consent,
      same.content -> 'agreement' as agreement
    from wanted w
    cross join lateral
      ${referralsOfPersonSql(sql`w.family`, sql`w.number`, sql`patient_family_key`)} as same
    where same.requested_at is not null and same.erased_at is null and same.status <> 'entered-in-error'
      and (same.status = any(${openStatuses}::text[]) or same.version_at >= ${endedSince}::timestamptz)
      and same.referrer_organisation_id is not distinct from w.organisation_id
      and (w.organisation_id is not null or same.referrer_account_id = w.account_id)
      and 'competent_child' in (same.content #>> '{agreement,basis}', same.content #>> '{consent,said_by,basis}')
    order by same.content #>> '{consent,recorded_at}' desc, same.id desc`.execute(trx);
  return Map.groupBy(rows, ({ index }) => people[index]!);
}

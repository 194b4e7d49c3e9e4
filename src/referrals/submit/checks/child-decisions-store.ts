import { sql } from 'kysely';
import type { Trx } from '../../../platform/database/index.ts';
import type { PatientAtService } from '../../model/person/duplicates-store.ts';
import { keysInHex, referralsOfPerson } from '../../model/person/same-person-store.ts';
import { openStatuses, type ReferralContent } from '../../model/referral.ts';

/** A referral in which a child who can decide said what the practice may be told. */
export type ChildDecision = Pick<ReferralContent, 'patient' | 'consent' | 'agreement'>;

/**
 * What children decided in their referrals by the same referrer, the newest decision first. Drafts do not count, nor referrals that were
 * sent by mistake, which may be about another child. Restricted ones do: they protect the child, and nobody learns anything new.
 */
export async function listChildDecisions<T extends { duplicateCheck: PatientAtService }>(
  trx: Trx,
  people: readonly T[],
  endedSince: Date,
): Promise<ReadonlyMap<T, ChildDecision[]>> {
  if (people.length === 0) return new Map();
  const wanted = people.map(({ duplicateCheck: { referrer, ...keys } }, index) => ({
    index,
    organisation_id: referrer.organisationId,
    account_id: referrer.accountId,
    ...keysInHex(keys),
  }));
  const { rows } = await sql<ChildDecision & { index: number }>`
    with wanted as materialized (
      select index, organisation_id, account_id, decode(name, 'hex') as name, decode(number, 'hex') as number
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as w(index int, organisation_id uuid, account_id uuid, name text, number text))
    select w.index, same.content -> 'patient' as patient, same.content -> 'consent' as consent,
      same.content -> 'agreement' as agreement
    from wanted w
    cross join lateral ${referralsOfPerson(sql`w.name`, sql`w.number`)} as same
    where same.requested_at is not null and same.erased_at is null and same.status <> 'entered-in-error'
      and (same.status = any(${openStatuses}::text[]) or same.version_at >= ${endedSince}::timestamptz)
      and same.referrer_organisation_id is not distinct from w.organisation_id
      and (w.organisation_id is not null or same.referrer_account_id = w.account_id)
      and 'competent_child' in (same.content #>> '{agreement,basis}', same.content #>> '{consent,said_by,basis}')
    order by same.content #>> '{consent,recorded_at}' desc, same.id desc`.execute(trx);
  return Map.groupBy(rows, ({ index }) => people[index]!);
}

import { sql } from 'kysely';
import { fullNameColumnSql } from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Look } from '../model/access/looks-store.ts';

/** How often somebody saw a person, or looked for them. */
export type LookAtPerson = {
  kind: 'search' | 'opening' | 'list' | 'copy' | 'copy-by-email';
  accountId: string | null;
  accountName: string | null;
  organisationId: string | null;
  organisation: string | null;
  roles: string[] | null;
  /** Where a copy was sent. */
  sentTo: string | null;
  /** Those of the person's referrals that were seen; none for a search. */
  referralIds: string[];
  /** On how many days, and the first and last of these. */
  days: number;
  firstDay: string;
  lastDay: string;
};

type Keys = Pick<Look, 'surnameKey' | 'postcodeKey' | 'numberKey'>;

/** Who saw these referrals or looked for somebody by these keys, the latest first. */
export async function listLooksAtPerson(
  db: Db,
  { referralIds, keys }: { referralIds: readonly string[]; keys: Keys },
  limit: number,
): Promise<LookAtPerson[]> {
  const { rows } = await sql<LookAtPerson>`
    with seen as (
      select 'opening' as kind, account_id, null::uuid as organisation_id, null as sent_to, day, array[referral_id] as ids
      from looks where kind = 'opening' and referral_id = any(${referralIds}::uuid[])
      union all
      select 'search', account_id, null, null, day, '{}'
      from looks where kind = 'search' and (number_key = ${keys.numberKey} or surname_key = ${keys.surnameKey}
        and (postcode_key is null or ${keys.postcodeKey}::bytea is null or postcode_key = ${keys.postcodeKey}))
      union all
      select kind, account_id, organisation_id, sent_to, day,
        array(select unnest(referral_ids) intersect select unnest(${referralIds}::uuid[]))
      from looks_in_lists where referral_ids && ${referralIds}::uuid[])
    select s.kind, s.account_id as "accountId", ${fullNameColumnSql} as "accountName", o.id as "organisationId", o.name as organisation, a.roles,
      s.sent_to as "sentTo", array(select distinct unnest(ids) from seen t where t.kind = s.kind
        and t.account_id is not distinct from s.account_id and t.sent_to is not distinct from s.sent_to
        and t.organisation_id is not distinct from s.organisation_id order by 1) as "referralIds",
      count(distinct s.day)::int as days, min(s.day)::text as "firstDay", max(s.day)::text as "lastDay"
    from seen s left join accounts a on a.id = s.account_id
      left join organisations o on o.id = coalesce(s.organisation_id, a.organisation_id)
    group by s.kind, s.account_id, s.organisation_id, a.id, o.id, o.name, a.roles, s.sent_to
    order by max(s.day) desc, s.kind, a.name, s.account_id limit ${limit}`.execute(db);
  return rows;
}

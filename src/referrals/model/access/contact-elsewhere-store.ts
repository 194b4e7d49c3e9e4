import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';
import { referralsOfPersonSql } from '../person/identity/same-person-store.ts';
import { openStatuses, type Referral, type SafeContact } from '../referral.ts';

/** What another open referral of the person says about contacting them. */
export type ContactInOther = {
  referralId: string;
  id: string;
  reference: string;
  /** Undefined in a referral from before it was asked. */
  contact: Partial<SafeContact> | undefined;
  isRestricted: boolean;
  /** One organisation received both. */
  sameReceiver: boolean;
  /** One organisation made both, or one account without an organisation. */
  sameReferrer: boolean;
  /** Only a similar person: see `referralsOfAlikePersonSql`. It may be of somebody else, such as a twin. */
  isUncertain: boolean;
};

/**
 * The answers about safe contact in the other open referrals of each person that the same organisation received, or made. Restricted
 * ones are among them: nobody works with them, but they may keep the person safe. For a draft: only those that its own organisation made.
 * @param wholeSite also those of other organisations: only for what the site itself decides, because nobody may be shown them
 * @param endedWithPage also ended ones whose person still has a page, so that a danger closes that as well
 */
export async function listContactInOthers(
  db: Db,
  referralIds: readonly string[],
  { wholeSite = false, endedWithPage = false } = {},
): Promise<ReadonlyMap<string, ContactInOther[]>> {
  if (referralIds.length === 0) return new Map();
  const { rows } = await sql<
    Omit<ContactInOther, 'contact'> & { contact: Referral['content']['contact'] | null }
  >`
    select r.id as "referralId", other.id, other.reference, other.content -> 'contact' as contact,
      other.restricted_at is not null as "isRestricted", other.same_receiver as "sameReceiver",
      other.same_referrer as "sameReferrer",
      other.uncertain as "isUncertain"
    from referrals r cross join lateral (
      select * from ${candidatesWithSidesSql} as found
      where (same_receiver or same_referrer or ${wholeSite}::boolean)
        and (status = any(${openStatuses}::text[]) or (${endedWithPage}::boolean and exists (
          select from person_pages page where page.referral_id = found.id and page.ended_at is null)))
      order by id limit 50) as other
    where r.id = any(${referralIds}::uuid[]) and r.erased_at is null
    order by other.id`.execute(db);
  const others = rows.map((row) => ({ ...row, contact: row.contact ?? undefined }));
  return Map.groupBy(others, ({ referralId }) => referralId);
}

/**
 * Referrals with the same last name, birth date and first letter of the first name, and the same telephone number or postcode, where the
 * first names differ and one has no NHS number. It may be a short form or another spelling: enough for a warning, and for nothing else.
 * They are looked up, for a referral `r`, by the key of the last name and the birth date, by its index, as in `referralsOfPersonSql`.
 */
function referralsOfAlikePersonSql(): RawBuilder<unknown> {
  const firstInitial = (content: string) =>
    sql`lower(left(${sql.raw(content)} #>> '{patient,given_name}', 1))`;
  const telephone = (content: string) =>
    sql`right(regexp_replace(${sql.raw(content)} #>> '{patient,telephone}', '[^0-9]', '', 'g'), 9)`;
  const postcode = (content: string) =>
    sql`upper(replace(${sql.raw(content)} #>> '{patient,address,postcode}', ' ', ''))`;
  const [own, other] = ['r.content', 'content'] as const;
  return sql`(
    select * from referrals where patient_family_key = r.patient_family_key
      and patient_name_key is distinct from r.patient_name_key
      and (patient_number_key is null or r.patient_number_key is null)
      and ${firstInitial(other)} = ${firstInitial(own)}
      and (${telephone(other)} = ${telephone(own)} or ${postcode(other)} = ${postcode(own)}) offset 0)`;
}

/** The referrals of the person of `r`, and of people who are alike. */
const candidatesSql = sql`(
  select *, false as uncertain
  from ${referralsOfPersonSql(sql`r.patient_name_key`, sql`r.patient_number_key`)} as same
  union all
  select *, true as uncertain from ${referralsOfAlikePersonSql()} as alike)`;

/** The same without `r`, with whether one side received or made both. */
const candidatesWithSidesSql = sql`(
  select candidate.*,
    r.requested_at is not null and (candidate.service_organization_id = r.service_organization_id
      or candidate.service_id = r.service_id) as same_receiver,
    candidate.referrer_organisation_id is not distinct from r.referrer_organisation_id
      and (r.referrer_organisation_id is not null or candidate.referrer_account_id = r.referrer_account_id)
      as same_referrer
  from ${candidatesSql} as candidate
  where candidate.id <> r.id and candidate.simulated = r.simulated)`;

import { sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';
import { referralsOfPerson } from '../person/same-person-store.ts';
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
};

/**
 * The answers about safe contact in the other open referrals of each person that the same organisation received, or made. Restricted
 * ones are among them: nobody works with them, but they may keep the person safe. A draft has those of its own organisation.
 * @param wholeSite those of all organisations too, which nobody may be shown
 */
export async function listContactInOthers(
  db: Db,
  referralIds: readonly string[],
  { wholeSite = false } = {},
): Promise<ReadonlyMap<string, ContactInOther[]>> {
  if (referralIds.length === 0) return new Map();
  const { rows } = await sql<
    Omit<ContactInOther, 'contact'> & { contact: Referral['content']['contact'] | null }
  >`
    select r.id as "referralId", other.id, other.reference, other.content -> 'contact' as contact,
      other.restricted_at is not null as "isRestricted", other.same_receiver as "sameReceiver",
      other.same_referrer as "sameReferrer"
    from referrals r cross join lateral (
      select * from (select id, reference, content, restricted_at,
        r.requested_at is not null and (service_organization_id = r.service_organization_id
          or service_id = r.service_id) as same_receiver,
        referrer_organisation_id is not distinct from r.referrer_organisation_id
          and (r.referrer_organisation_id is not null or referrer_account_id = r.referrer_account_id) as same_referrer
      from ${referralsOfPerson(sql`r.patient_name_key`, sql`r.patient_number_key`)} as same
      where id <> r.id and status = any(${openStatuses}::text[]) and simulated = r.simulated
      ) as found where same_receiver or same_referrer or ${wholeSite}::boolean order by id limit 50) as other
    where r.id = any(${referralIds}::uuid[]) and r.erased_at is null
    order by other.id`.execute(db);
  const found = rows.map((row) => ({ ...row, contact: row.contact ?? undefined }));
  return Map.groupBy(found, ({ referralId }) => referralId);
}

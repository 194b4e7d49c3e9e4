import { sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';
import { openStatuses, type Referral, type SafeContact } from '../referral.ts';

/** What another open referral of the person to the same organisation says about contacting them. */
export type ContactInOther = {
  referralId: string;
  id: string;
  reference: string;
  /** Undefined in a referral from before it was asked. */
  contact: Partial<SafeContact> | undefined;
  isRestricted: boolean;
};

/**
 * The answers about safe contact in the other open referrals of each person, to any service of the same organisation and by any
 * referrer. Restricted ones are among them: nobody works with them, but they may keep the person safe.
 */
export async function listContactInOthers(
  db: Db,
  referralIds: readonly string[],
): Promise<ReadonlyMap<string, ContactInOther[]>> {
  if (referralIds.length === 0) return new Map();
  const { rows } = await sql<
    Omit<ContactInOther, 'contact'> & { contact: Referral['content']['contact'] | null }
  >`
    select r.id as "referralId", other.id, other.reference, other.content -> 'contact' as contact,
      other.restricted_at is not null as "isRestricted"
    from referrals r cross join lateral (
      select id, reference, content, restricted_at from (
        -- Each looked up by the patient alone, by its index (hence offset 0).
        (select * from referrals where patient_number_key = r.patient_number_key offset 0)
        union all
        (select * from referrals where patient_name_key = r.patient_name_key
          and (patient_number_key = r.patient_number_key) is not true offset 0)) as same
      where id <> r.id and status = any(${openStatuses}::text[]) and simulated = r.simulated
        and (service_organization_id = r.service_organization_id or service_id = r.service_id)
        -- Two NHS numbers are two people, even with the same name and birth date.
        and (patient_number_key is null or r.patient_number_key is null
          or patient_number_key = r.patient_number_key)
      order by id limit 50) as other
    where r.id = any(${referralIds}::uuid[]) and r.requested_at is not null and r.erased_at is null
    order by other.id`.execute(db);
  const found = rows.map((row) => ({ ...row, contact: row.contact ?? undefined }));
  return Map.groupBy(found, ({ referralId }) => referralId);
}

import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { referrerTelephoneSql } from '../model/actors/referrer-telephone-store.ts';

/** The telephone numbers that are known for the two sides of a referral, for the person whom it is about. */
export async function findTelephones(
  db: Db,
  referralId: string,
): Promise<{ service: string | null; referrer: string | null }> {
  const { rows } = await sql<{ service: string | null; referrer: string | null }>`
    select coalesce(s.answer_telephone, document.document::jsonb -> 'phones' -> 0 ->> 'number') as service,
      coalesce(r.content -> 'referrer' ->> 'telephone', ${referrerTelephoneSql(sql`r.id`)}) as referrer
    from referrals r
      left join service_referral_settings s on s.service_id = r.service_id
      left join service_documents document on document.service_id = r.service_id
    where r.id = ${referralId}`.execute(db);
  return rows[0] ?? { service: null, referrer: null };
}

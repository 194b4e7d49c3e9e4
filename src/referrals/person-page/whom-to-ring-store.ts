import { sql } from 'kysely';
import { canSignInSql } from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { referrerTelephoneSql } from '../model/actors/referrer-telephone-store.ts';

/**
 * The first day from `today` on, in London, on which somebody of the referrer's side is at work; null if nobody can sign in.
 * A referrer without an organisation has no colleagues.
 */
export async function findDaySomebodyIsThere(
  db: Db,
  {
    referrerOrganisationId,
    referrerAccountId,
  }: { referrerOrganisationId: string | null; referrerAccountId: string },
  today: string,
): Promise<string | null> {
  const { rows } = await sql<{ back: string | null }>`
    select min(case when ${today}::date between l.first_day and l.last_day then l.last_day + 1 else ${today}::date end)::text as back
    from accounts a left join account_leaves l on l.account_id = a.id
    where 'referrer' = any(a.roles) and ${canSignInSql('a')}
      and case when ${referrerOrganisationId}::uuid is null then a.id = ${referrerAccountId}::uuid
        else a.organisation_id = ${referrerOrganisationId}::uuid end`.execute(db);
  return rows[0]!.back;
}

/** The telephone numbers of the two sides of a referral, for the person whom it is about. */
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

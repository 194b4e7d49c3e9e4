import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';
import type { Referral } from '../referral.ts';

/**
 * Where to ring who referred, if the referral does not say: the telephone of their account, unless they have left the organisation that
 * referred; or else the practice’s, if that organisation is one.
 */
export function referrerTelephoneSql(referralId: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`(
    select coalesce(
      case when referrer.organisation_id is not distinct from made.referrer_organisation_id then referrer.telephone end, (
      select surgery.phone from organisations o join practices surgery on surgery.ods_code = o.ods_code
      where o.id = made.referrer_organisation_id))
    from referrals made join accounts referrer on referrer.id = made.referrer_account_id
    where made.id = ${referralId})`;
}

/** Where to ring the person who referred; null if no number is known. What an erased referral said is gone. */
export async function findReferrerTelephone(
  db: Db,
  { id, content, erasedAt }: Pick<Referral, 'id' | 'content' | 'erasedAt'>,
): Promise<string | null> {
  if (erasedAt === null && content.referrer.telephone !== undefined) return content.referrer.telephone;
  const { rows } = await sql<{ telephone: string | null }>`
    select ${referrerTelephoneSql(sql`${id}::uuid`)} as telephone`.execute(db);
  return rows[0]!.telephone;
}

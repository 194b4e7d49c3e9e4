import { type RawBuilder, sql } from 'kysely';
import { everSensitiveServiceIdsSql, isSensitiveReferralSql } from '../../../library/index.ts';
import type { Db } from '../../../platform/database/index.ts';

/**
 * Whether the account has ever opened the referral with a reason. From then on the account may know the service, but not read the text
 * again (`mayStillRead`).
 */
const everOpenedSql = (id: RawBuilder<unknown>, accountId: RawBuilder<unknown>): RawBuilder<boolean> => sql`
  exists (select from referral_openings o where o.referral_id = ${id} and o.account_id = ${accountId})`;

/** The referrals among these that are to sensitive services and for which this account has given no reason. */
export async function listSensitiveWithoutReason(
  db: Db,
  ids: readonly string[],
  accountId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select referrals.id from referrals join service_referral_settings s using (service_id)
    where referrals.id = any(${ids}::uuid[]) and ${isSensitiveReferralSql(sql`referrals`, sql`s`)}
      and not ${everOpenedSql(sql`referrals.id`, sql`${accountId}::uuid`)}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Whether this account may know to which service a row of `referrals` is. A list of one service has only such referrals, so neither its length
 * nor its cursor reveals others. Nearly every row is decided by its own columns or by the ids of the few sensitive services, which
 * PostgreSQL reads once for the query.
 */
export function mayKnowServiceSql({
  accountId,
  receivedBy,
}: {
  accountId: string;
  receivedBy: string | null;
}): RawBuilder<boolean> {
  return sql`(
    referrer_account_id = ${accountId} or service_organization_id = ${receivedBy}
    or (service_id in (${everSensitiveServiceIdsSql})) is not true
    or not exists (
      select from service_referral_settings s
      where s.service_id = referrals.service_id and ${isSensitiveReferralSql(sql`referrals`, sql`s`)})
    or ${everOpenedSql(sql`referrals.id`, sql`${accountId}::uuid`)})`;
}

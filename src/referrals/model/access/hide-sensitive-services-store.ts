import { type RawBuilder, sql } from 'kysely';
import { isSensitiveReferralSql } from '../../../library/index.ts';
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
 * A condition on a row of `referrals`: whether this account may know that the referral is to this service. A list of
 * one service has only such referrals, so neither its length nor its cursor reveals others.
 */
export function mayKnowServiceConditionSql(
  service: string | RawBuilder<unknown>,
  { accountId, receivedBy }: { accountId: string; receivedBy: string | null },
): RawBuilder<boolean> {
  return sql`(
    (select ${isSensitiveReferralSql(sql`referrals`, sql`s`)} from service_referral_settings s
      where s.service_id = ${service}) is not true
    or referrer_account_id = ${accountId} or service_organization_id = ${receivedBy}
    or ${everOpenedSql(sql`referrals.id`, sql`${accountId}::uuid`)})`;
}

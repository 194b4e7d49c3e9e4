import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** The account has done something with a referral, or has opened it with a reason. Reading alone does not count. */
const hasActed = (id: RawBuilder<unknown>, accountId: RawBuilder<unknown>): RawBuilder<boolean> => sql`(
  exists (select from referral_history h where h.referral_id = ${id} and h.actor_id = ${accountId})
  or exists (select from referral_messages m where m.referral_id = ${id} and m.author_id = ${accountId})
  or exists (select from referral_changes c where c.referral_id = ${id} and c.author_id = ${accountId})
  or exists (select from referral_attachments a where a.referral_id = ${id} and a.author_id = ${accountId})
  or exists (select from referral_openings o where o.referral_id = ${id} and o.account_id = ${accountId}))`;

/** The referrals among these that are to sensitive services and that this account has only read. */
export async function listSensitiveWithoutAction(
  db: Db,
  ids: readonly string[],
  accountId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select referrals.id from referrals join service_referral_settings s using (service_id)
    where referrals.id = any(${ids}::uuid[]) and s.sensitive and not ${hasActed(sql`referrals.id`, sql`${accountId}::uuid`)}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/**
 * A condition on a row of `referrals`: whether this account may know that the referral is to this service. A list of
 * one service has only such referrals, so neither its length nor its cursor reveals others.
 */
export function isKnownToBeOf(
  service: string,
  { accountId, receivedBy }: { accountId: string; receivedBy: string | null },
): RawBuilder<boolean> {
  return sql`(
    (select sensitive from service_referral_settings where service_id = ${service}) is not true
    or referrer_account_id = ${accountId} or service_organization_id = ${receivedBy}
    or ${hasActed(sql`referrals.id`, sql`${accountId}::uuid`)})`;
}

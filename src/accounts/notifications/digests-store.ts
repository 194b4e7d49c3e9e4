import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { NotificationKind } from './kinds.ts';
import type { MailedReferral } from './urgency.ts';

/** News of a referral that somebody wants to be told of once a day. */
export type DigestEntry = { accountId: string; kind: NotificationKind; referralId: string; at: Date };

/** Adds news to the digests. News of one kind about one referral is listed once. */
export async function addToDigests(trx: Trx, entries: readonly DigestEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await sql`
    insert into notification_digests (account_id, kind, referral_id, at)
    select "accountId", kind, "referralId", at
    from json_to_recordset(${JSON.stringify(entries)}::json)
      as entry("accountId" uuid, kind text, "referralId" uuid, at timestamptz)
    on conflict do nothing`.execute(trx);
}

/** The accounts with news for their digest, `limit` at a time. */
export async function listAccountsWithDigest(db: Db, { limit }: { limit: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('notification_digests')
    .select('account_id as id')
    .distinct()
    .orderBy('account_id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** An entry of a digest, with the referral as it is now. */
export type TakenEntry = Omit<MailedReferral, 'isUrgent' | 'isDangerous'> & {
  accountId: string;
  email: string;
  kind: NotificationKind;
  status: string;
  status_reason: { code: string } | null;
  urgency: string;
  requested_at: Date | null;
  deathReportedAt: Date | null;
  content: object;
};

/**
 * Deletes all news that waits for these accounts. Returns it, except that of disabled accounts and of referrals that were restricted
 * or erased meanwhile.
 */
export async function takeDigests(trx: Trx, accountIds: readonly string[]): Promise<TakenEntry[]> {
  const { rows } = await sql<TakenEntry>`
    with taken as (
      delete from notification_digests where account_id = any(${[...accountIds]}::uuid[])
      returning account_id, kind, referral_id)
    select t.account_id as "accountId", a.email, t.kind, r.id, r.reference, r.status, r.status_reason, r.urgency,
      r.requested_at, r.death_reported_at as "deathReportedAt", r.content
    from taken t join accounts a on a.id = t.account_id join referrals r on r.id = t.referral_id
    where a.disabled_at is null and r.restricted_at is null and r.erased_at is null`.execute(trx);
  return rows;
}

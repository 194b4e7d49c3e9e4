import { sql } from 'kysely';
import { fullNameColumnSql } from '../../../accounts/index.ts';
import { anyOfValuesSql, type Db, type Trx } from '../../../platform/database/index.ts';
import type { Side } from '../status/state-machine.ts';

// How far each account has read: the last version of a referral whose page it opened, and the last message and file that it was shown.

/** How far an account has read; null for what it was not shown this time. */
export type ReadingPosition = {
  lastMessageId: string | null;
  lastAttachmentId: string | null;
  version: number | null;
};

/** Notes how far an account has read. It never goes back. */
export async function markRead(
  trx: Trx,
  referralId: string,
  accountId: string,
  { lastMessageId, lastAttachmentId, version }: ReadingPosition,
): Promise<void> {
  await sql`
    insert into referral_readings (referral_id, account_id, last_message_id, last_attachment_id, last_version)
    values (${referralId}, ${accountId}, ${lastMessageId}, ${lastAttachmentId}, ${version})
    on conflict (referral_id, account_id) do update
      set last_message_id = greatest(referral_readings.last_message_id, excluded.last_message_id),
        last_attachment_id = greatest(referral_readings.last_attachment_id, excluded.last_attachment_id),
        last_version = greatest(referral_readings.last_version, excluded.last_version)`.execute(trx);
}

/** Messages `m` of others that an account has not read, with its reading `r`. */
const fromUnreadMessagesSql = (accountId: string) => sql`
  from referral_messages m
    left join referral_readings r on r.referral_id = m.referral_id and r.account_id = ${accountId}
  where m.author_id <> ${accountId} and (r.last_message_id is null or m.id > r.last_message_id)`;

/** Files `a` that others attached since a referral was sent, and that an account was not shown. */
const fromUnreadFilesSql = (accountId: string) => sql`
  from referral_attachments a join referrals f on f.id = a.referral_id
    left join referral_readings r on r.referral_id = a.referral_id and r.account_id = ${accountId}
  where a.author_id <> ${accountId} and a.removed_at is null and a.at >= f.requested_at
    and (r.last_attachment_id is null or a.id > r.last_attachment_id)`;

/** Counts the messages of others that an account has not read, for each referral that has any. */
export async function countUnreadMessages(
  db: Db,
  referralIds: readonly string[],
  accountId: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ referralId: string; count: number }>`
    select m.referral_id as "referralId", count(*)::int as count ${fromUnreadMessagesSql(accountId)}
      and m.referral_id = any(${referralIds}::uuid[])
    group by m.referral_id`.execute(db);
  return new Map(rows.map(({ referralId, count }) => [referralId, count]));
}

/**
 * Counts the files that others attached since a referral was sent and that an account was not shown, for each referral that has any. Those
 * that came with it are seen with it.
 */
export async function countUnreadFiles(
  db: Db,
  referralIds: readonly string[],
  accountId: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ referralId: string; count: number }>`
    select a.referral_id as "referralId", count(*)::int as count ${fromUnreadFilesSql(accountId)}
      and a.referral_id = any(${referralIds}::uuid[])
    group by a.referral_id`.execute(db);
  return new Map(rows.map(({ referralId, count }) => [referralId, count]));
}

/** The details of referrals that others have changed since an account last looked at each, by the referral's id. */
export async function listChangedFields(
  db: Db,
  referralIds: readonly string[],
  accountId: string,
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; fields: string[] }>`
    select h.referral_id as id, array_agg(distinct change ->> 'field') as fields from referral_readings r
      join referral_history h on h.referral_id = r.referral_id and h.version > r.last_version
      cross join lateral jsonb_array_elements(h.details -> 'changes') as change
    where r.referral_id = any(${referralIds}::uuid[]) and r.account_id = ${accountId}
      and h.actor_id is distinct from ${accountId}
    group by h.referral_id`.execute(db);
  return new Map(rows.map(({ id, fields }) => [id, fields]));
}

/** Somebody of a side who has read its messages up to this one. */
export type MessageReader = { side: Side; name: string; lastMessageId: string };

/** Everybody on a side who has read messages, as the accounts are now: who moved elsewhere has left the referral behind. */
export async function listMessageReaders(db: Db, referralId: string): Promise<MessageReader[]> {
  const { rows } = await sql<MessageReader>`
    select ${fullNameColumnSql} as name, r.last_message_id as "lastMessageId",
      case when o.library_organization_id = f.service_organization_id and 'provider' = any(a.roles) then 'provider'
        else 'referrer' end as side
    from referral_readings r
      join referrals f on f.id = r.referral_id
      join accounts a on a.id = r.account_id
      left join organisations o on o.id = a.organisation_id
    where r.referral_id = ${referralId} and r.last_message_id is not null
      and (o.library_organization_id = f.service_organization_id or o.id = f.referrer_organisation_id
        or f.referrer_organisation_id is null and a.id = f.referrer_account_id)
    order by name`.execute(db);
  return rows;
}

/** Whether an account has opened the page of a referral since its last change. */
export async function hasOpenedVersion(
  db: Db,
  referralId: string,
  accountId: string,
  version: number,
): Promise<boolean> {
  const reading = await db
    .selectFrom('referral_readings')
    .select('last_version')
    .where('referral_id', '=', referralId)
    .where('account_id', '=', accountId)
    .where('last_version', '>=', version)
    .executeTakeFirst();
  return reading !== undefined;
}

/** Of these referrals, those whose page an account has opened since their last change. */
export async function listOpenedSinceChange(
  db: Db,
  referralIds: readonly string[],
  accountId: string,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('referral_readings')
    .innerJoin('referrals', 'referrals.id', 'referral_readings.referral_id')
    .select('referrals.id')
    .where('referrals.id', '=', anyOfValuesSql(referralIds))
    .where('referral_readings.account_id', '=', accountId)
    .whereRef('referral_readings.last_version', '>=', 'referrals.version')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** What a client showed somebody of the news of a referral, by its ids. */
type ShownNews = { messageIds: readonly string[] } | { attachmentIds: readonly string[] };

/**
 * Notes what a client showed somebody, so that pages do not call it new any more. News is read in its order: while somebody else’s news
 * before it was not shown, all of it stays new.
 */
export async function markNewsRead(
  trx: Trx,
  referralId: string,
  accountId: string,
  shown: ShownNews,
): Promise<void> {
  const areMessages = 'messageIds' in shown;
  const ids = (areMessages ? shown.messageIds : shown.attachmentIds).toSorted();
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return;
  const earlierUnreadSql = areMessages
    ? sql`${fromUnreadMessagesSql(accountId)} and m.referral_id = ${referralId} and m.id < ${first}`
    : sql`${fromUnreadFilesSql(accountId)} and a.referral_id = ${referralId} and a.id < ${first}`;
  const { rows } = await sql<{ hasUnread: boolean }>`
    select exists (select ${earlierUnreadSql}) as "hasUnread"`.execute(trx);
  if (rows[0]!.hasUnread) return;
  await markRead(trx, referralId, accountId, {
    lastMessageId: areMessages ? last : null,
    lastAttachmentId: areMessages ? null : last,
    version: null,
  });
}

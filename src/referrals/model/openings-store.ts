import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

export type Opening = { id: string; at: Date; endsAt: Date; accountName: string; reason: string };

export async function insertOpening(
  trx: Trx,
  opening: Opening & { referralId: string; accountId: string },
): Promise<void> {
  const { id, referralId, accountId, accountName, at, endsAt, reason } = opening;
  await sql`
    insert into referral_openings (id, referral_id, account_id, account_name, at, ends_at, reason)
    values (${id}, ${referralId}, ${accountId}, ${accountName}, ${at}, ${endsAt}, ${reason})`.execute(trx);
}

/** Whether the account has opened the referral and may still see what it says. */
export async function hasOpened(db: Db, referralId: string, accountId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from referral_openings
    where referral_id = ${referralId} and account_id = ${accountId} and ends_at > ${now} limit 1`.execute(db);
  return rows.length > 0;
}

/** Newest first. */
export async function listOpenings(
  db: Db,
  referralId: string,
  page: { beforeId?: string | undefined; limit: number },
): Promise<Opening[]> {
  const before = page.beforeId === undefined ? sql`` : sql`and id < ${page.beforeId}`;
  const { rows } = await sql<Opening>`
    select id, at, ends_at as "endsAt", account_name as "accountName", reason from referral_openings
    where referral_id = ${referralId} ${before} order by id desc limit ${page.limit}`.execute(db);
  return rows;
}

import type { Db, Trx } from '../../../platform/database/index.ts';

export type Opening = { id: string; at: Date; endsAt: Date; accountName: string; reason: string };

export async function insertOpening(
  trx: Trx,
  opening: Opening & { referralId: string; accountId: string },
): Promise<void> {
  const { id, referralId, accountId, accountName, at, endsAt, reason } = opening;
  await trx
    .insertInto('referral_openings')
    .values({
      id,
      referral_id: referralId,
      account_id: accountId,
      account_name: accountName,
      at,
      ends_at: endsAt,
      reason,
    })
    .execute();
}

/** When the account last opened the referral. */
export async function lastOpenedAt(db: Db, referralId: string, accountId: string): Promise<Date | undefined> {
  const opening = await db
    .selectFrom('referral_openings')
    .select('at')
    .where('referral_id', '=', referralId)
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return opening?.at;
}

/** Whether the account has opened the referral and may still see what it says. */
export async function mayStillRead(
  db: Db,
  referralId: string,
  accountId: string,
  now: Date,
): Promise<boolean> {
  const opening = await db
    .selectFrom('referral_openings')
    .select('id')
    .where('referral_id', '=', referralId)
    .where('account_id', '=', accountId)
    .where('ends_at', '>', now)
    .limit(1)
    .executeTakeFirst();
  return opening !== undefined;
}

/** Newest first. */
export function listOpenings(
  db: Db,
  referralId: string,
  { beforeId, limit }: { beforeId?: string | undefined; limit: number },
): Promise<Opening[]> {
  return db
    .selectFrom('referral_openings')
    .select(['id', 'at', 'ends_at as endsAt', 'account_name as accountName', 'reason'])
    .where('referral_id', '=', referralId)
    .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
